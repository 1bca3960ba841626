package dev.keelson.authn.serviceaccount;

import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;

/** A service account, and the user that it is. */
record ServiceAccountName(String namespace, String name) {

  /** What the user name of every service account begins with. */
  static final String PREFIX = "system:serviceaccount:";

  private static final String GROUP = "system:serviceaccounts";

  String userName() {
    return PREFIX + namespace + ":" + name;
  }

  UserInfo user(String uid, Map<String, List<String>> extra) {
    return new UserInfo(userName(), uid, List.of(GROUP, GROUP + ":" + namespace), extra);
  }
}
