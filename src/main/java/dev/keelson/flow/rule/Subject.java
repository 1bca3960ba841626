package dev.keelson.flow.rule;

import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.Optional;

/** Whom a rule of a FlowSchema is about (source: apiserver, util/flowcontrol, rule.go). */
sealed interface Subject {

  /** Stands for every name. */
  String ALL = "*";

  /** Whether {@code user} is one. */
  boolean matches(UserInfo user);

  /** A user, or with {@code *} every user. */
  record User(String name) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return name.equals(ALL) || name.equals(user.name());
    }
  }

  /** The members of a group, or with {@code *} every user. */
  record Group(String name) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return name.equals(ALL) || user.groups().contains(name);
    }
  }

  /**
   * A service account, or all of its namespace.
   *
   * @param prefix the beginning of their user names, which is the whole name of one account
   * @param whole whether the prefix is the whole name
   */
  record Account(String prefix, boolean whole) implements Subject {
    @Override
    public boolean matches(UserInfo user) {
      return whole ? user.name().equals(prefix) : user.name().startsWith(prefix);
    }
  }

  /** Reads a subject; empty if its kind is unknown or its field is missing: it matches nobody. */
  static Optional<Subject> of(MapNode subject) {
    return switch (subject.text("kind")) {
      case "User" -> named(subject, "user").map(user -> new User(user.text("name")));
      case "Group" -> named(subject, "group").map(group -> new Group(group.text("name")));
      case "ServiceAccount" -> named(subject, "serviceAccount").map(Subject::account);
      default -> Optional.empty();
    };
  }

  private static Optional<MapNode> named(MapNode subject, String field) {
    return subject.has(field) ? Optional.of(subject.map(field)) : Optional.empty();
  }

  private static Subject account(MapNode account) {
    String namespace = "system:serviceaccount:" + account.text("namespace") + ":";
    String name = account.text("name");
    return name.equals(ALL)
        ? new Account(namespace, /* whole= */ false)
        : new Account(namespace + name, /* whole= */ true);
  }
}
