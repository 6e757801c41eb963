/* Returns DS_CHOSEN for one style, if it is this one; included through each_style.h. No include guard.
   SPDX-License-Identifier: GPL-2.0-or-later */
if (style == &DS_STYLE) { return DS_CHOSEN; }
