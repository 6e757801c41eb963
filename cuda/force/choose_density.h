/* Returns DS_CHOSEN_DENSITY for one style, if it is this one and has densities; included through each_style.h. No include
   guard.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifdef DS_HAS_DENSITY
if (style == &DS_STYLE) { return DS_CHOSEN_DENSITY; }
#endif
