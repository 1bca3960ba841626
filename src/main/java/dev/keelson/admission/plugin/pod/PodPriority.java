package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;

/**
 * Priority: sets the priority of a pod from its priority class, or from the default class; allows
 * only one default class.
 */
public final class PodPriority implements Admission {

  private static final GroupResource CLASSES =
      new GroupResource("scheduling.k8s.io", "priorityclasses");

  private final ClusterObjects objects;

  /** The resolved priority of a pod. */
  private record Rank(String className, long value, String preemptionPolicy) {
    static Rank of(ApiObject priorityClass) {
      String policy = priorityClass.root().text("preemptionPolicy");
      return new Rank(
          priorityClass.meta().name(),
          number(priorityClass.root(), "value"),
          policy.isEmpty() ? "PreemptLowerPriority" : policy);
    }
  }

  public PodPriority(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && (Pods.isPod(resource, subresource)
            || (resource.equals(CLASSES) && subresource.isEmpty()));
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!Pods.concerns(call)) {
      return object;
    }
    if (call.operation() == Verb.CREATE) {
      return ranked(call, object);
    }
    ApiObject current = call.current();
    MapNode spec = Pods.spec(object);
    if (current != null) {
      for (String field : new String[] {"priority", "preemptionPolicy"}) {
        Node old = Pods.spec(current).get(field);
        spec = old != null && !spec.has(field) ? spec.with(field, old) : spec;
      }
    }
    return spec == Pods.spec(object) ? object : object.with("spec", spec);
  }

  private ApiObject ranked(AdmissionAttributes call, ApiObject pod) {
    MapNode spec = Pods.spec(pod);
    Rank rank = rank(call, spec.text("priorityClassName"));
    if (spec.get("priority") instanceof Node.Int given && given.value() != rank.value) {
      throw call.forbidden(
          "the integer value of priority ("
              + given.value()
              + ") must not be provided in pod spec; priority admission controller computed "
              + rank.value
              + " from the given PriorityClass name");
    }
    String policy = spec.text("preemptionPolicy");
    if (!policy.isEmpty() && !policy.equals(rank.preemptionPolicy)) {
      throw call.forbidden(
          "the string value of PreemptionPolicy ("
              + policy
              + ") must not be provided in pod spec; priority admission controller computed "
              + rank.preemptionPolicy
              + " from the given PriorityClass name");
    }
    MapNode next =
        spec.with("priority", new Node.Int(rank.value))
            .with("preemptionPolicy", Node.text(rank.preemptionPolicy));
    return pod.with(
        "spec",
        rank.className.isEmpty()
            ? next
            : next.with("priorityClassName", Node.text(rank.className)));
  }

  private Rank rank(AdmissionAttributes call, String className) {
    if (!className.isEmpty()) {
      return objects
          .priorityClass(className)
          .map(Rank::of)
          .orElseThrow(
              () -> call.forbidden("no PriorityClass with name " + className + " was found"));
    }
    Rank lowest = null;
    for (ApiObject candidate : objects.priorityClasses()) {
      if (candidate.root().get("globalDefault") == Node.Bool.TRUE) {
        Rank rank = Rank.of(candidate);
        lowest = lowest == null || rank.value < lowest.value ? rank : lowest;
      }
    }
    return lowest == null ? new Rank("", 0, "PreemptLowerPriority") : lowest;
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject object = call.object();
    if (object == null
        || !call.concerns("scheduling.k8s.io", "priorityclasses")
        || object.root().get("globalDefault") != Node.Bool.TRUE) {
      return;
    }
    Optional<ApiObject> other =
        objects.priorityClasses().stream()
            .filter(each -> each.root().get("globalDefault") == Node.Bool.TRUE)
            // a create is of another class, also if its name is taken
            .filter(
                each ->
                    call.operation() == Verb.CREATE
                        || !each.meta().name().equals(object.meta().name()))
            .findFirst();
    if (other.isPresent()) {
      throw call.forbidden(
          "PriorityClass "
              + other.get().meta().name()
              + " is already marked as default. Only one default can exist");
    }
  }

  private static long number(MapNode struct, String field) {
    return struct.get(field) instanceof Node.Int number ? number.value() : 0;
  }
}
