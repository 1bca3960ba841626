package dev.keelson.controller.customresource;

import dev.keelson.schema.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names that are in use in one group, and the definitions that wait for some. A definition that
 * comes, changes or goes costs its own names, a decision those of the definitions that wait before
 * it, however many definitions the group has. Used by one thread at a time.
 */
final class GroupClaims {

  private static final Comparator<Definition> BY_REVISION =
      Comparator.comparingLong(Definition::revision).thenComparing(Definition::name);

  private final Names resources = new Names();
  private final Names kinds = new Names();
  private final NavigableSet<Definition> pending = new TreeSet<>(BY_REVISION);
  private int size;

  /**
   * A group without definitions.
   *
   * @param builtIn its built-in resources, which have their names already
   */
  GroupClaims(List<ResourceDefinition> builtIn) {
    for (ResourceDefinition row : builtIn) {
      resources.add(row.gvr().resource(), 1);
      resources.add(row.singular(), 1);
      row.shortNames().forEach(name -> resources.add(name, 1));
      kinds.add(row.kind(), 1);
      kinds.add(row.listKind(), 1);
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds a state of a definition, of which the one before is to be removed. */
  void add(Definition definition) {
    size++;
    claim(definition.accepted(), 1);
    if (definition.pending()) {
      boolean unused = pending.add(definition);
    }
  }

  /** Removes a state of a definition that was added. */
  void remove(Definition definition) {
    size--;
    claim(definition.accepted(), -1);
    if (definition.pending()) {
      boolean unused = pending.remove(definition);
    }
  }

  /** The definitions that wait for names. */
  List<String> pending() {
    return pending.stream().map(Definition::name).toList();
  }

  /** Decides on the names of a definition after those that wait before it. */
  NameRules.Decision decide(Definition definition) {
    NameRules.Used used = new NameRules.Used(resources.present(), kinds.present());
    List<Runnable> undo = new ArrayList<>();
    for (Definition before : pending) {
      if (before.revision() >= definition.revision()) {
        break;
      }
      DefinitionNames next =
          NameRules.decide(before.requested(), before.accepted(), used).accepted();
      claim(before.accepted(), -1);
      claim(next, 1);
      undo.add(
          () -> {
            claim(next, -1);
            claim(before.accepted(), 1);
          });
    }
    NameRules.Decision decision =
        NameRules.decide(definition.requested(), definition.accepted(), used);
    undo.forEach(Runnable::run);
    return decision;
  }

  private void claim(DefinitionNames names, int count) {
    resources.add(names.plural(), count);
    resources.add(names.singular(), count);
    names.shortNames().forEach(name -> resources.add(name, count));
    kinds.add(names.kind(), count);
    kinds.add(names.listKind(), count);
  }

  /** Names and how often each is used. */
  private static final class Names {
    private final Map<String, Integer> counts = new HashMap<>();

    void add(String name, int count) {
      if (!name.isEmpty()
          && Objects.requireNonNullElse(counts.merge(name, count, Integer::sum), 0) == 0) {
        counts.remove(name);
      }
    }

    /** The names in use; changes with them. */
    Set<String> present() {
      return counts.keySet();
    }
  }
}
