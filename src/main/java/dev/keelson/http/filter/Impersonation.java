package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.AuthenticatorChain;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.filter.ImpersonationCheck.Part;
import dev.keelson.request.UserInfo;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The user that a request wants to act as, as its headers say.
 *
 * @param name the user name
 * @param uid the uid, or empty
 * @param groups the groups as they were named
 * @param extra the extras by lower-case key
 */
record Impersonation(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  private static final String EXTRA = "impersonate-extra-";
  private static final String ACCOUNT = "system:serviceaccount:";
  private static final String AUTHENTICATION = "authentication.k8s.io";

  /**
   * What the headers say; empty if they say nothing.
   *
   * @throws ApiException of reason InternalError, as Kubernetes has it, if they name parts of a
   *     user and no user
   */
  static Optional<Impersonation> of(ApiRequest request) {
    String name = request.header("Impersonate-User");
    String uid = request.header("Impersonate-Uid");
    List<String> groups = request.headerValues("Impersonate-Group");
    Map<String, List<String>> extra = new TreeMap<>();
    request
        .headers()
        .forEach(
            (header, values) -> {
              if (header.startsWith(EXTRA)) {
                extra
                    .computeIfAbsent(key(header.substring(EXTRA.length())), _ -> new ArrayList<>())
                    .addAll(values);
              }
            });
    if (name.isEmpty()) {
      if (groups.isEmpty() && extra.isEmpty() && uid.isEmpty()) {
        return Optional.empty();
      }
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal Server Error: \"%s\": requested %s without impersonating a user"
              .formatted(request.path(), new Impersonation("", uid, groups, extra).parts()));
    }
    return Optional.of(new Impersonation(name, uid, groups, extra));
  }

  /** Everything that is to be taken on. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (!name.isEmpty()) {
      String[] account = account();
      parts.add(
          account.length == 2
              ? new Part("", "v1", "serviceaccounts", "", account[0], account[1])
              : new Part("", "v1", "users", "", "", name));
    }
    for (String group : groups) {
      parts.add(new Part("", "v1", "groups", "", "", group));
    }
    extra.forEach(
        (key, values) -> {
          for (String value : values) {
            parts.add(new Part(AUTHENTICATION, "v1", "userextras", key, "", value));
          }
        });
    if (!uid.isEmpty()) {
      parts.add(new Part(AUTHENTICATION, "v1", "uids", "", "", uid));
    }
    return parts;
  }

  /** The user, with the groups that follow from the name. */
  UserInfo user() {
    List<String> all = new ArrayList<>(groups);
    String[] account = account();
    if (account.length == 2 && groups.isEmpty()) {
      all.add("system:serviceaccounts");
      all.add("system:serviceaccounts:" + account[0]);
    }
    String everyone =
        name.equals(AuthenticatorChain.ANONYMOUS.name())
            ? AuthenticatorChain.UNAUTHENTICATED
            : AuthenticatorChain.AUTHENTICATED;
    if (!all.contains(AuthenticatorChain.AUTHENTICATED)
        && !all.contains(AuthenticatorChain.UNAUTHENTICATED)) {
      all.add(everyone);
    }
    return new UserInfo(name, uid, all, new LinkedHashMap<>(extra));
  }

  /** Namespace and name of the account that the name stands for; empty if it is another user's. */
  private String[] account() {
    if (!name.startsWith(ACCOUNT)) {
      return new String[0];
    }
    String[] parts = name.substring(ACCOUNT.length()).split(":", -1);
    boolean complete = parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty();
    return complete ? parts : new String[0];
  }

  private static String key(String encoded) {
    try {
      return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // a key from before keys were encoded
      return encoded;
    }
  }
}
