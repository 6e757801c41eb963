/* Words that atoms are kept in on the device, of one width; included through each_arithmetic.h, where int4 and float4 and
   the like of them have the names position32 ... velocity64. No include guard.   SPDX-License-Identifier: GPL-2.0-or-later */

struct DS_W(storage) {
  typedef DS_REAL real;
  typedef DS_W(ds_position) integers;
  typedef DS_W(position) position; /* x y z type */
  typedef DS_W(velocity) velocity; /* x y z signature */
  typedef DS_W(ds_message) message;

  static __device__ integers locate(const ds_frame &f, const double lambda[3]) { return DS_W(ds_position_of)(&f, lambda); }
  static __device__ int boxes(const ds_frame &f, int d, double lambda) { return DS_W(ds_boxes)(&f, d, lambda); }
  static __device__ void shift(const ds_frame &f, position *p, int ix, int iy, int iz)
  {
    const integers from = {p->x, p->y, p->z};
    *p = put(DS_W(ds_position_image)(&f, from, ix, iy, iz), (int) p->w);
  }
  static __device__ position put(const integers &p, int type)
  {
    const position out = {p.x, p.y, p.z, type};
    return out;
  }
  static __device__ velocity move(double x, double y, double z, uint32_t signature)
  {
    const velocity out = {(real) x, (real) y, (real) z, DS_W(ds_signature_word)(signature)};
    return out;
  }
  static __device__ int4 upper(const position &p)
  {
    enum { LOWER_BITS = 8 * sizeof(DS_WORD) - 32 };
    return make_int4((int) (p.x >> LOWER_BITS), (int) (p.y >> LOWER_BITS), (int) (p.z >> LOWER_BITS), (int) p.w);
  }
  static __device__ uint32_t signature(const velocity &v) { return DS_W(ds_signature_in)(v.w); }
};
