/* The C interface of LAMMPS plugins, declared here because LAMMPS does not install its header.
   SPDX-License-Identifier: GPL-2.0-or-later

   Documented in the LAMMPS manual, "Writing plugins". The order of the members is the interface. */

#ifndef LMP_DPDSOP_LAMMPSPLUGIN_ABI_H
#define LMP_DPDSOP_LAMMPSPLUGIN_ABI_H

extern "C" {

// factories: styles created from a LAMMPS pointer alone, and from a LAMMPS pointer with arguments
typedef void *(*dpdsop_plugin_factory1)(void *);
typedef void *(*dpdsop_plugin_factory2)(void *, int, char **);

struct dpdsop_plugin {
  const char *version;    // LAMMPS version that the plugin was compiled for
  const char *style;      // category: "pair", "fix", ...
  const char *name;       // name of the style
  const char *info;
  const char *author;
  union {
    dpdsop_plugin_factory1 v1;
    dpdsop_plugin_factory2 v2;
  } creator;
  void *handle;    // what LAMMPS passed to lammpsplugin_init()
};

typedef void (*dpdsop_plugin_register)(dpdsop_plugin *, void *);

// the one symbol that LAMMPS looks for
void lammpsplugin_init(void *lmp, void *handle, void *register_function);
}

#endif
