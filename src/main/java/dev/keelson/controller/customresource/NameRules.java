package dev.keelson.controller.customresource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which names of a definition are accepted (source: Kubernetes' naming controller). Plural,
 * singular and short names are one space of names in a group, kind and list kind another. Each name
 * that is free is accepted even if others are not; short names only all together.
 */
final class NameRules {

  /**
   * The names in use.
   *
   * @param resources plurals, singulars and short names
   * @param kinds kinds and list kinds
   */
  record Used(Set<String> resources, Set<String> kinds) {}

  /**
   * A decision.
   *
   * @param accepted the next {@code status.acceptedNames}
   * @param condition the condition NamesAccepted
   */
  record Decision(DefinitionNames accepted, DefinitionCondition condition) {}

  private NameRules() {}

  /**
   * Decides on the names of a definition.
   *
   * @param used the accepted names of the group, those of the definition itself included
   */
  static Decision decide(DefinitionNames requested, DefinitionNames accepted, Used used) {
    Conflicts conflicts = new Conflicts();
    String plural =
        conflicts.choose(requested.plural(), accepted.plural(), used.resources(), "PluralConflict");
    String singular =
        conflicts.choose(
            requested.singular(), accepted.singular(), used.resources(), "SingularConflict");
    List<String> shortNames = conflicts.shortNames(requested, accepted, used.resources());
    String kind = conflicts.choose(requested.kind(), accepted.kind(), used.kinds(), "KindConflict");
    String listKind =
        conflicts.choose(
            requested.listKind(), accepted.listKind(), used.kinds(), "ListKindConflict");
    return new Decision(
        new DefinitionNames(plural, singular, shortNames, kind, listKind, requested.categories()),
        conflicts.condition());
  }

  /** The conflicts of one definition; the last one is told. */
  private static final class Conflicts {
    private String reason = "";
    private String message = "";

    String choose(String requested, String accepted, Set<String> used, String conflict) {
      if (requested.equals(accepted) || !used.contains(requested)) {
        return requested;
      }
      tell(conflict, inUse(requested));
      return accepted;
    }

    List<String> shortNames(DefinitionNames requested, DefinitionNames accepted, Set<String> used) {
      // one that equals the own plural or singular is in use by the definition itself
      Set<String> own = new LinkedHashSet<>(accepted.shortNames());
      own.add(accepted.plural());
      own.add(accepted.singular());
      Set<String> taken = new LinkedHashSet<>();
      for (String name : requested.shortNames()) {
        if (!own.contains(name) && !name.isEmpty() && used.contains(name)) {
          taken.add(inUse(name));
        }
      }
      if (taken.isEmpty()) {
        return requested.shortNames();
      }
      List<String> messages = new ArrayList<>(taken);
      tell(
          "ShortNamesConflict",
          messages.size() == 1 ? messages.getFirst() : "[" + String.join(", ", messages) + "]");
      return accepted.shortNames();
    }

    private static String inUse(String name) {
      return "\"" + name + "\" is already in use";
    }

    private void tell(String why, String what) {
      reason = why;
      message = what;
    }

    DefinitionCondition condition() {
      return reason.isEmpty()
          ? new DefinitionCondition(
              DefinitionCondition.NAMES_ACCEPTED,
              DefinitionCondition.TRUE,
              "NoConflicts",
              "no conflicts found")
          : new DefinitionCondition(
              DefinitionCondition.NAMES_ACCEPTED, DefinitionCondition.FALSE, reason, message);
    }
  }
}
