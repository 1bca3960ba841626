package dev.keelson.controller.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.Evaluator;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import dev.keelson.quota.ResourceList;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.value.Quantity;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Measures what the objects of a namespace count for a quota (source: {@code CalculateUsage}). */
final class UsageCount {

  private final ResourceCatalog catalog;
  private final ResourceClient client;
  private final Evaluators evaluators;

  UsageCount(ResourceCatalog catalog, ResourceClient client, Evaluators evaluators) {
    this.catalog = catalog;
    this.client = client;
    this.evaluators = evaluators;
  }

  /** A served type with the names that its objects count for. */
  private record Counted(ResourceDefinition definition, Evaluator evaluator, List<String> names) {}

  /** Whether the usage of each of {@code names} that can be measured is in {@code used}. */
  boolean isComplete(Collection<String> names, ResourceList used) {
    List<String> open = open(names, used);
    return open.isEmpty() || counted(open).isEmpty();
  }

  /** The same as far as objects of {@code resources} count. */
  boolean isComplete(
      Collection<String> names, ResourceList used, Collection<GroupResource> resources) {
    List<String> open = open(names, used);
    ResourceCatalog.Snapshot served = catalog.snapshot();
    return open.isEmpty()
        || resources.stream().allMatch(name -> counted(open, served.find(name)).isEmpty());
  }

  private static List<String> open(Collection<String> names, ResourceList used) {
    return names.stream().filter(name -> !used.names().contains(name)).toList();
  }

  /** Returns the usage of the quota's resources that can be measured, from the newest state. */
  ResourceList measure(Quota quota) {
    ResourceList usage = ResourceList.EMPTY;
    for (Counted each : counted(quota.wanted().names())) {
      usage = usage.plus(zero(each.names())).plus(measure(quota, each).masked(each.names()));
    }
    return usage;
  }

  private static ResourceList zero(List<String> names) {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    names.forEach(name -> amounts.put(name, Quantity.of(0)));
    return new ResourceList(amounts);
  }

  private ResourceList measure(Quota quota, Counted type) {
    Evaluator evaluator = type.evaluator();
    boolean scoped = !quota.requirements().isEmpty();
    if (scoped && !evaluator.hasScopes()) {
      return ResourceList.EMPTY;
    }
    String number = Evaluator.countName(evaluator.resource());
    if (!scoped && (evaluator.countsOnly() || type.names().equals(List.of(number)))) {
      Quantity count = Quantity.of(client.count(type.definition().gvr(), quota.namespace()));
      NavigableMap<String, Quantity> amounts = new TreeMap<>();
      type.names().forEach(name -> amounts.put(name, count));
      return new ResourceList(amounts);
    }
    ResourceList sum = ResourceList.EMPTY;
    for (ApiObject object : client.list(type.definition().gvr(), quota.namespace())) {
      if (evaluator.inScope(quota.requirements(), object)) {
        sum = sum.plus(evaluator.usage(object).masked(type.names()));
      }
    }
    return sum;
  }

  /** The served types whose objects count for some of {@code names}. */
  private Collection<Counted> counted(Collection<String> names) {
    return counted(names, catalog.snapshot().all());
  }

  private Collection<Counted> counted(
      Collection<String> names, Collection<ResourceDefinition> definitions) {
    Map<GroupResource, Counted> types = new LinkedHashMap<>();
    for (ResourceDefinition definition : definitions) {
      GroupResource resource = definition.groupResource();
      if (!isCountable(definition) || isBetter(types.get(resource), definition)) {
        continue;
      }
      Evaluator evaluator = evaluators.of(resource);
      List<String> matching = evaluator.matchingResources(names);
      if (!matching.isEmpty()) {
        Counted unused = types.put(resource, new Counted(definition, evaluator, matching));
      }
    }
    return types.values();
  }

  /** Whether the known version of a type is the stored one, in which objects need no conversion. */
  private static boolean isBetter(@Nullable Counted known, ResourceDefinition other) {
    return known != null && !isStored(other);
  }

  private static boolean isStored(ResourceDefinition definition) {
    StoredType type = definition.storage();
    return type != null && type.kind().equals(definition.gvk());
  }

  private static boolean isCountable(ResourceDefinition definition) {
    return definition.namespaced()
        && definition.storage() != null
        && Evaluators.isLimited(definition.groupResource())
        && definition.verbs().containsAll(List.of(Verb.CREATE, Verb.LIST, Verb.DELETE));
  }
}
