package dev.keelson.controller.customresource;

import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The definitions by group, and which names they get. Safe for use by several threads.
 *
 * <p>Every server decides, and none may accept a name that another one accepts for another
 * definition. So definitions that wait for names are served in the order of their resourceVersions:
 * a definition gets what those before it leave. A decision is stored only if the definition still
 * has the resourceVersion for which it was made. Of two definitions with one name, each server that
 * sees both sees the same one first; a server that sees only one of them sees the one with the
 * lower resourceVersion, since it sees changes in their order.
 */
final class NameClaims {

  private final Map<String, List<ResourceDefinition>> builtIn = new HashMap<>();
  private final Map<String, Map<String, Definition>> groups = new HashMap<>();
  private final Map<String, Definition> all = new HashMap<>();

  /**
   * No definitions yet.
   *
   * @param catalog its built-in resources have their names already
   */
  NameClaims(ResourceCatalog catalog) {
    for (ResourceDefinition row : catalog.snapshot().all()) {
      if (row.custom() == null) {
        builtIn.computeIfAbsent(row.gvr().group(), group -> new ArrayList<>()).add(row);
      }
    }
  }

  synchronized Optional<Definition> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  /** Adds or replaces a definition unless a newer state is known; returns the one before. */
  synchronized Optional<Definition> put(Definition definition) {
    Definition before = all.get(definition.name());
    if (before != null
        && before.uid().equals(definition.uid())
        && before.revision() > definition.revision()) {
      return Optional.of(before);
    }
    all.put(definition.name(), definition);
    Map<String, Definition> unused =
        groups.compute(
            definition.group(),
            (group, known) -> {
              Map<String, Definition> members = known == null ? new HashMap<>() : known;
              members.put(definition.name(), definition);
              return members;
            });
    return Optional.ofNullable(before);
  }

  /** Replaces a known definition by a newer state of it; returns the one before. */
  synchronized Optional<Definition> putNewer(Definition definition) {
    Definition known = all.get(definition.name());
    return known != null
            && known.uid().equals(definition.uid())
            && known.revision() < definition.revision()
        ? put(definition)
        : Optional.empty();
  }

  /** Removes a definition; returns it. */
  synchronized Optional<Definition> remove(String name) {
    Definition before = all.remove(name);
    if (before != null) {
      Map<String, Definition> unused =
          groups.computeIfPresent(
              before.group(),
              (group, members) -> {
                members.remove(name);
                return members.isEmpty() ? null : members;
              });
    }
    return Optional.ofNullable(before);
  }

  /** The definitions of a group that wait for names. */
  synchronized List<String> pending(String group) {
    return groups.getOrDefault(group, Map.of()).values().stream()
        .filter(Definition::pending)
        .map(Definition::name)
        .toList();
  }

  /** Decides on the names of a definition after those that wait before it. */
  synchronized NameRules.Decision decide(Definition definition) {
    Map<String, Definition> members = groups.getOrDefault(definition.group(), Map.of());
    Names resources = new Names();
    Names kinds = new Names();
    claimBuiltIn(definition.group(), resources, kinds);
    for (Definition member : members.values()) {
      claim(member.accepted(), resources, kinds, 1);
    }
    List<Definition> before = new ArrayList<>();
    for (Definition member : members.values()) {
      if (member.pending() && member.revision() < definition.revision()) {
        before.add(member);
      }
    }
    before.sort(Comparator.comparingLong(Definition::revision));
    NameRules.Used used = new NameRules.Used(resources.present(), kinds.present());
    for (Definition member : before) {
      DefinitionNames next =
          NameRules.decide(member.requested(), member.accepted(), used).accepted();
      claim(member.accepted(), resources, kinds, -1);
      claim(next, resources, kinds, 1);
    }
    return NameRules.decide(definition.requested(), definition.accepted(), used);
  }

  private void claimBuiltIn(String group, Names resources, Names kinds) {
    for (ResourceDefinition row : builtIn.getOrDefault(group, List.of())) {
      resources.add(row.gvr().resource(), 1);
      resources.add(row.singular(), 1);
      row.shortNames().forEach(name -> resources.add(name, 1));
      kinds.add(row.kind(), 1);
      kinds.add(row.listKind(), 1);
    }
  }

  private static void claim(DefinitionNames names, Names resources, Names kinds, int count) {
    resources.add(names.plural(), count);
    resources.add(names.singular(), count);
    names.shortNames().forEach(name -> resources.add(name, count));
    kinds.add(names.kind(), count);
    kinds.add(names.listKind(), count);
  }

  /** Names and how often each is used. */
  private static final class Names {
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> present = new HashSet<>();

    void add(String name, int count) {
      if (name.isEmpty()) {
        return;
      }
      int now = Objects.requireNonNull(counts.merge(name, count, Integer::sum));
      if (now > 0) {
        present.add(name);
      } else {
        present.remove(name);
      }
    }

    /** The names in use; changes with them. */
    Set<String> present() {
      return present;
    }
  }
}
