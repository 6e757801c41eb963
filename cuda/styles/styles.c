/* The objects of the pair styles.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "style.h"

#define DS_FOR_STYLE "../styles/style_object.h" /* from the folder of the public headers */
#include "each_style.h"
