package dev.keelson.authn.serviceaccount;

import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;

/** The name of a service account and its user name. */
record ServiceAccountName(String namespace, String name) {

  /** The prefix of the user names of service accounts. */
  static final String PREFIX = "system:serviceaccount:";

  private static final String GROUP = "system:serviceaccounts";

  String userName() {
    return PREFIX + namespace + ":" + name;
  }

  UserInfo user(String uid, Map<String, List<String>> extra) {
    return new UserInfo(userName(), uid, List.of(GROUP, GROUP + ":" + namespace), extra);
  }
}
