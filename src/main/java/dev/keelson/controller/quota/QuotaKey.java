package dev.keelson.controller.quota;

import dev.keelson.quota.Quota;

/** The address of a quota. */
record QuotaKey(String namespace, String name) {

  static QuotaKey of(Quota quota) {
    return new QuotaKey(quota.namespace(), quota.name());
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
