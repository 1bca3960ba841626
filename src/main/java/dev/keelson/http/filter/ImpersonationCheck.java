package dev.keelson.http.filter;

import dev.keelson.request.UserInfo;

/**
 * Decides whether a user may act as another. What is to be taken on is named part by part, as a
 * resource that authorization rules can allow with the verb {@code impersonate}.
 */
@FunctionalInterface
interface ImpersonationCheck {

  /**
   * Something to be taken on.
   *
   * @param group empty for users, groups and service accounts; {@code authentication.k8s.io} for
   *     uids and extras
   * @param version the version of the group
   * @param resource users, groups, serviceaccounts, uids or userextras
   * @param subresource the key of an extra, else empty
   * @param namespace the namespace of a service account, else empty
   * @param name the user, group, account, uid or value
   */
  record Part(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {}

  /**
   * Returns if {@code user} may take on the part.
   *
   * @throws dev.keelson.api.ApiException of reason Forbidden otherwise
   */
  void require(UserInfo user, Part part);
}
