package dev.keelson.simulation;

/** Numbers that look random and are always the same for the same pod, also after a restart. */
final class Randoms {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Randoms() {}

  /** A number from 0 to 1, without 1. */
  static double of(String uid, String what) {
    long hash = FNV_OFFSET;
    String all = uid + "/" + what;
    for (int i = 0; i < all.length(); i++) {
      hash = (hash ^ all.charAt(i)) * FNV_PRIME;
    }
    // the finalizer of MurmurHash3 spreads short differences over all bits
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    return (hash >>> 11) * 0x1.0p-53;
  }
}
