package dev.keelson.http.filter;

import dev.keelson.request.UserInfo;
import java.util.List;

/**
 * The modes of constrained impersonation (KEP-5284). All but the last are limited to verbs: the
 * user needs {@code impersonate-on:mode:verb} on the requested resource and {@code
 * impersonate:mode} on each part of the impersonated user. In the order in which they are tried.
 */
enum ImpersonationMode {
  /** A service account as the node that its pod runs on. */
  ASSOCIATED_NODE("associated-node"),
  ARBITRARY_NODE("arbitrary-node"),
  SERVICE_ACCOUNT("serviceaccount"),
  /** Any user except nodes and service accounts. */
  USER_INFO("user-info"),
  /** Any user for every request, by the verb {@code impersonate}. */
  LEGACY("");

  private static final String NODE_NAME = "authentication.kubernetes.io/node-name";

  private final String word;

  ImpersonationMode(String word) {
    this.word = word;
  }

  /** The name of the mode in metrics. */
  String label() {
    return isConstrained() ? word : "legacy";
  }

  /** Whether the mode is limited to verbs. */
  boolean isConstrained() {
    return this != LEGACY;
  }

  /** The verb on parts of the impersonated user. */
  String verb() {
    return isConstrained() ? "impersonate:" + word : "impersonate";
  }

  /** The verb on the requested resource for a request with {@code verb}. */
  String verbOn(String verb) {
    return "impersonate-on:" + word + ":" + verb;
  }

  /** Whether the mode applies to the two users. */
  boolean applies(UserInfo user, ParsedUserName other, Impersonation wish) {
    return switch (this) {
      case ASSOCIATED_NODE ->
          wish.isNameAlone()
              && other instanceof ParsedUserName.Node(String node)
              && ParsedUserName.of(user.name()) instanceof ParsedUserName.Account
              && List.of(node).equals(user.extra().get(NODE_NAME));
      case ARBITRARY_NODE -> wish.isNameAlone() && other instanceof ParsedUserName.Node;
      case SERVICE_ACCOUNT -> wish.isNameAlone() && other instanceof ParsedUserName.Account;
      case USER_INFO -> other instanceof ParsedUserName.User;
      case LEGACY -> true;
    };
  }
}
