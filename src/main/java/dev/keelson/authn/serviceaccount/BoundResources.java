package dev.keelson.authn.serviceaccount;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;

/** The resources of objects that service account tokens are bound to. */
final class BoundResources {

  static final GroupVersionResource ACCOUNTS = GroupVersion.CORE_V1.resource("serviceaccounts");
  static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");
  static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");

  private BoundResources() {}
}
