package dev.keelson.http.filter;

import java.util.regex.Pattern;

/** What a user name stands for. */
sealed interface KnownName {

  /** A kubelet. */
  record Node(String name) implements KnownName {}

  /** A service account. */
  record Account(String namespace, String name) implements KnownName {}

  /** Anybody else. */
  record User(String name) implements KnownName {}

  /** Reads a user name; one that only begins like a node's or an account's is a user's. */
  static KnownName of(String user) {
    String node = "system:node:";
    if (user.startsWith(node) && Forms.isSubdomain(user.substring(node.length()))) {
      return new Node(user.substring(node.length()));
    }
    String account = "system:serviceaccount:";
    if (user.startsWith(account)) {
      String[] parts = user.substring(account.length()).split(":", -1);
      if (parts.length == 2 && Forms.isLabel(parts[0]) && Forms.isSubdomain(parts[1])) {
        return new Account(parts[0], parts[1]);
      }
    }
    return new User(user);
  }

  /** The forms of names (RFC 1123). */
  final class Forms {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?");
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_SUBDOMAIN = 253;

    private Forms() {}

    static boolean isLabel(String text) {
      return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
    }

    static boolean isSubdomain(String text) {
      if (text.length() > LONGEST_SUBDOMAIN) {
        return false;
      }
      for (String label : text.split("\\.", -1)) {
        if (!LABEL.matcher(label).matches()) {
          return false;
        }
      }
      return true;
    }
  }
}
