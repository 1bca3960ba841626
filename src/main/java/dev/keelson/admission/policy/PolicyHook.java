package dev.keelson.admission.policy;

import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy with its bindings, ready for requests. Used by several threads. */
final class PolicyHook {

  private final String name;
  private final ApiObject policy;
  private final List<ApiObject> sources;
  private final MapNode spec;
  private final @Nullable ResourceMatcher constraints;
  private final List<Binding> bindings;

  /** Compiled when it is first needed. */
  private volatile @Nullable CompiledPolicy compiled;

  /**
   * A binding.
   *
   * @param matcher null if it matches what the policy matches
   */
  record Binding(String name, MapNode spec, @Nullable ResourceMatcher matcher) {

    static Binding of(ApiObject binding) {
      MapNode spec = binding.root().map("spec");
      MapNode match = spec.map("matchResources");
      return new Binding(
          binding.meta().name(),
          spec,
          spec.has("matchResources") ? ResourceMatcher.ofPolicy(match) : null);
    }
  }

  private PolicyHook(
      ApiObject policy,
      List<ApiObject> sources,
      List<Binding> bindings,
      @Nullable CompiledPolicy compiled) {
    this.policy = policy;
    this.name = policy.meta().name();
    this.spec = policy.root().map("spec");
    this.sources = List.copyOf(sources);
    this.bindings = List.copyOf(bindings);
    this.compiled = compiled;
    this.constraints =
        spec.has("matchConstraints")
            ? ResourceMatcher.ofPolicy(spec.map("matchConstraints"))
            : null;
  }

  /**
   * A policy and its bindings.
   *
   * @param before the hook of the same policy until now; it stays if neither the spec nor the
   *     bindings have changed, and its expressions if the spec has not
   */
  static PolicyHook of(ApiObject policy, List<ApiObject> bindings, @Nullable PolicyHook before) {
    boolean sameSpec =
        before != null
            && (before.policy == policy || before.spec.equals(policy.root().map("spec")));
    if (before != null && sameSpec && isSame(before.sources, bindings)) {
      return before;
    }
    List<Binding> made = new ArrayList<>(bindings.size());
    bindings.forEach(binding -> made.add(Binding.of(binding)));
    return new PolicyHook(
        policy, bindings, made, before != null && sameSpec ? before.compiled : null);
  }

  /** Whether both are the same objects; a binding that was written again is another one. */
  private static boolean isSame(List<ApiObject> before, List<ApiObject> now) {
    boolean same = before.size() == now.size();
    for (int i = 0; same && i < now.size(); i++) {
      same = before.get(i) == now.get(i);
    }
    return same;
  }

  String name() {
    return name;
  }

  MapNode spec() {
    return spec;
  }

  /** Null if the policy has none, which validation refuses. */
  @Nullable ResourceMatcher constraints() {
    return constraints;
  }

  List<Binding> bindings() {
    return bindings;
  }

  /** Whether errors reject requests. */
  boolean failsClosed() {
    return !spec.text("failurePolicy").equals("Ignore");
  }

  /** Whether it may run again after other plugins have changed the object. */
  boolean reinvoked() {
    return spec.text("reinvocationPolicy").equals("IfNeeded");
  }

  CompiledPolicy compiled() {
    CompiledPolicy known = compiled;
    if (known == null) {
      // two threads may both compile it; either result is right
      known = CompiledPolicy.of(spec);
      compiled = known;
    }
    return known;
  }
}
