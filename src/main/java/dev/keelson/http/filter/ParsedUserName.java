package dev.keelson.http.filter;

import dev.keelson.api.Names;

/** A user name, parsed by its prefix. */
sealed interface ParsedUserName {

  /** A node. */
  record Node(String name) implements ParsedUserName {}

  /** A service account. */
  record Account(String namespace, String name) implements ParsedUserName {}

  /** Any other user. */
  record User(String name) implements ParsedUserName {}

  /** Parses a user name; malformed names of nodes and service accounts are plain users. */
  static ParsedUserName of(String user) {
    String node = "system:node:";
    if (user.startsWith(node) && Names.dnsSubdomain(user.substring(node.length())).isEmpty()) {
      return new Node(user.substring(node.length()));
    }
    String account = "system:serviceaccount:";
    if (user.startsWith(account)) {
      String[] parts = user.substring(account.length()).split(":", -1);
      if (parts.length == 2
          && Names.dnsLabel(parts[0]).isEmpty()
          && Names.dnsSubdomain(parts[1]).isEmpty()) {
        return new Account(parts[0], parts[1]);
      }
    }
    return new User(user);
  }
}
