package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.value.Quantity;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts objects of any type; a few types of the core group also under their plain names. */
record ObjectCountEvaluator(GroupResource resource, List<String> names) implements Evaluator {

  /** The names of the core group from before {@code count/}. */
  private static final Set<String> PLAIN =
      Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

  static ObjectCountEvaluator of(GroupResource resource) {
    String counted = Evaluator.countName(resource);
    return new ObjectCountEvaluator(
        resource,
        resource.group().isEmpty() && PLAIN.contains(resource.resource())
            ? List.of(counted, resource.resource())
            : List.of(counted));
  }

  @Override
  public boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old) {
    return operation == Verb.CREATE && subresource.isEmpty();
  }

  @Override
  public List<String> matchingResources(Collection<String> given) {
    return given.stream().filter(names::contains).toList();
  }

  @Override
  public ResourceList usage(ApiObject object) {
    return usage();
  }

  /** The usage of every object. */
  ResourceList usage() {
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    names.forEach(name -> amounts.put(name, Quantity.of(1)));
    return new ResourceList(amounts);
  }

  @Override
  public boolean countsOnly() {
    return true;
  }
}
