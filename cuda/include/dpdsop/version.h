/* The version of the package, which its plugin and its library have, too.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_VERSION_H
#define DPDSOP_VERSION_H

#define DPDSOP_VERSION "0.2.0"

#endif
