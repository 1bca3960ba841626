package dev.keelson.quota;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of resources by name, in the order of names. Immutable; equal if the amounts are, however
 * they are written.
 *
 * @param amounts the amounts; a copy is kept
 */
public record ResourceList(NavigableMap<String, Quantity> amounts) {

  /** No amounts. */
  public static final ResourceList EMPTY = new ResourceList(new TreeMap<>());

  public ResourceList {
    amounts = Collections.unmodifiableNavigableMap(new TreeMap<>(amounts));
  }

  /** Returns the amounts of a map of quantities; texts that are no quantity are left out. */
  public static ResourceList of(MapNode quantities) {
    if (quantities.isEmpty()) {
      return EMPTY;
    }
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    quantities.forEach(
        (name, value) -> {
          if (value instanceof Node.Text text) {
            Quantity.tryParse(text.value()).ifPresent(amount -> amounts.put(name, amount));
          } else if (value instanceof Node.Int number) {
            amounts.put(name, Quantity.of(number.value()));
          }
        });
    return new ResourceList(amounts);
  }

  /** The amount of {@code name}, or null if there is none. */
  public @Nullable Quantity get(String name) {
    return amounts.get(name);
  }

  /** The names in order. */
  public Set<String> names() {
    return amounts.keySet();
  }

  /** Whether there are no amounts. */
  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  /** Returns the sums of the amounts of both. */
  public ResourceList plus(ResourceList other) {
    return merged(other, Quantity::plus);
  }

  /** Returns the larger amount of each resource in either. */
  public ResourceList max(ResourceList other) {
    return merged(other, (one, two) -> two.compareTo(one) > 0 ? two : one);
  }

  private ResourceList merged(ResourceList other, BinaryOperator<Quantity> both) {
    if (other.isEmpty()) {
      return this;
    }
    NavigableMap<String, Quantity> next = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> next.merge(name, amount, both));
    return new ResourceList(next);
  }

  /** Returns the same with the amounts of {@code other} instead of its own. */
  public ResourceList with(ResourceList other) {
    return merged(other, (mine, theirs) -> theirs);
  }

  /** Returns how much more than {@code other} this is; 0 for what is not more. */
  public ResourceList increaseOver(ResourceList other) {
    NavigableMap<String, Quantity> next = new TreeMap<>();
    amounts.forEach(
        (name, amount) -> {
          Quantity before = other.get(name);
          Quantity more = before == null ? amount : amount.minus(before);
          next.put(name, more.signum() > 0 ? more : Quantity.of(0));
        });
    other.amounts.forEach((name, amount) -> next.putIfAbsent(name, Quantity.of(0)));
    return new ResourceList(next);
  }

  /** Returns only the amounts of {@code names}. */
  public ResourceList masked(Collection<String> names) {
    NavigableMap<String, Quantity> next = new TreeMap<>(amounts);
    next.keySet().retainAll(Set.copyOf(names));
    return new ResourceList(next);
  }

  /** Returns the amounts that are not zero. */
  public ResourceList withoutZeros() {
    NavigableMap<String, Quantity> next = new TreeMap<>(amounts);
    next.values().removeIf(amount -> amount.signum() == 0);
    return new ResourceList(next);
  }

  /** The names of negative amounts. */
  public List<String> negative() {
    return amounts.entrySet().stream()
        .filter(entry -> entry.getValue().signum() < 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The names of amounts that are larger than those in {@code limits}. */
  public List<String> exceeding(ResourceList limits) {
    List<String> names = new ArrayList<>();
    amounts.forEach(
        (name, amount) -> {
          Quantity limit = limits.get(name);
          if (limit != null && amount.compareTo(limit) > 0) {
            names.add(name);
          }
        });
    return names;
  }

  /** Returns the object with the canonical texts. */
  public MapNode node() {
    MapNode.Builder builder = MapNode.builder(amounts.size());
    amounts.forEach((name, amount) -> builder.put(name, Node.text(amount.toString())));
    return builder.build();
  }

  /** The form of messages: {@code cpu=1,pods=2}. */
  @Override
  public String toString() {
    return amounts.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }
}
