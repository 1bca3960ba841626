package dev.keelson.admission.policy;

import dev.keelson.admission.policy.PolicySource.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The policies and bindings of this server, with every write that it has answered. Safe for use by
 * several threads.
 */
public final class PolicyStore {

  private final PolicySource source;
  private final Map<Kind, Map<String, ApiObject>> objects = new EnumMap<>(Kind.class);
  private final Sets validating = new Sets(Kind.VALIDATING_POLICY, Kind.VALIDATING_BINDING);
  private final Sets mutating = new Sets(Kind.MUTATING_POLICY, Kind.MUTATING_BINDING);
  private final Sink sink = new Sink();

  /** A store that follows {@code source}. */
  public PolicyStore(PolicySource source) {
    this.source = source;
    for (Kind kind : Kind.values()) {
      objects.put(kind, new ConcurrentSkipListMap<>());
    }
  }

  private Map<String, ApiObject> of(Kind kind) {
    return Objects.requireNonNull(objects.get(kind));
  }

  PolicySet validating() {
    source.catchUp(sink);
    return validating.current();
  }

  PolicySet mutating() {
    source.catchUp(sink);
    return mutating.current();
  }

  /** Applies pending changes and compiles what they brought, before a request needs it. */
  public void prepare() {
    for (PolicySet set : List.of(validating(), mutating())) {
      for (PolicyHook hook : set.hooks()) {
        CompiledPolicy unused = hook.compiled();
      }
    }
  }

  /** The validating policies, also those without bindings. */
  public List<ApiObject> validatingPolicies() {
    return List.copyOf(of(Kind.VALIDATING_POLICY).values());
  }

  /** Marks what changes; the sets are made again when they are next used. */
  private final class Sink implements ObjectSink<Kind> {
    @Override
    public void clear(Kind kind) {
      of(kind).clear();
      changed(kind);
    }

    @Override
    public void put(Kind kind, ApiObject object) {
      ApiObject unused = of(kind).put(object.meta().name(), object);
      changed(kind);
    }

    @Override
    public void remove(Kind kind, String namespace, String name) {
      ApiObject unused = of(kind).remove(name);
      changed(kind);
    }

    private void changed(Kind kind) {
      long unused =
          switch (kind) {
            case VALIDATING_POLICY, VALIDATING_BINDING -> validating.changes.incrementAndGet();
            case MUTATING_POLICY, MUTATING_BINDING -> mutating.changes.incrementAndGet();
          };
    }
  }

  /** The current set of one kind of policies. */
  private final class Sets {
    private final Kind policies;
    private final Kind bindings;

    /** Guards the making of a set. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Number of changes; counted by the one thread that the source calls. */
    private final AtomicLong changes = new AtomicLong();

    private volatile Made made = new Made(0, PolicySet.EMPTY);

    /** A set with the changes until a number. */
    private record Made(long changes, PolicySet set) {}

    Sets(Kind policies, Kind bindings) {
      this.policies = policies;
      this.bindings = bindings;
    }

    PolicySet current() {
      Made known = made;
      if (known.changes == changes.get()) {
        return known.set;
      }
      lock.lock();
      try {
        long until = changes.get();
        if (made.changes != until) {
          made = new Made(until, freshly());
        }
        return made.set;
      } finally {
        lock.unlock();
      }
    }

    private PolicySet freshly() {
      Map<String, PolicyHook> before = new HashMap<>();
      made.set.hooks().forEach(hook -> before.put(hook.name(), hook));
      Map<String, List<ApiObject>> bound = new HashMap<>();
      for (ApiObject binding : of(bindings).values()) {
        bound
            .computeIfAbsent(
                binding.root().map("spec").text("policyName"), name -> new ArrayList<>())
            .add(binding);
      }
      List<PolicyHook> hooks = new ArrayList<>();
      for (ApiObject policy : of(policies).values()) {
        String name = policy.meta().name();
        List<ApiObject> ofPolicy = bound.get(name);
        if (ofPolicy != null) {
          hooks.add(PolicyHook.of(policy, ofPolicy, before.get(name)));
        }
      }
      return new PolicySet(hooks);
    }
  }
}
