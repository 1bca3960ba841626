package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;

/** CSI drivers. */
final class CsiDriverRules implements KindRules {
  private static final long SHORTEST_TOKEN_SECONDS = 600;
  private static final long LONGEST_TOKEN_SECONDS = 1L << 32;
  private static final long SHORTEST_PERIOD_SECONDS = 10;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value policy = spec.get("fsGroupPolicy");
    if (policy.present() && !policy.filled()) {
      policy.unsupported("File", "None", "ReadWriteOnceWithFSType");
    }
    policy.oneOf("File", "None", "ReadWriteOnceWithFSType");
    tokens(spec.get("tokenRequests"));
    Value modes = spec.get("volumeLifecycleModes");
    for (Value mode : modes) {
      if (!mode.is("Persistent") && !mode.is("Ephemeral")) {
        // Kubernetes names the list, not the entry
        modes.holding(mode.orEmpty().node()).unsupportedInOrder("Persistent", "Ephemeral");
      }
    }
    Value period = spec.get("nodeAllocatableUpdatePeriodSeconds");
    if (period.present() && period.number() < SHORTEST_PERIOD_SECONDS) {
      period.invalid("must be greater than or equal to 10 seconds");
    }
    Value inSecrets = spec.get("serviceAccountTokenInSecrets");
    if (inSecrets.present() && spec.get("tokenRequests").size() == 0) {
      inSecrets.invalid("serviceAccountTokenInSecrets is set but no tokenRequests are specified");
    }
  }

  private static void tokens(Value requests) {
    ValueSet audiences = new ValueSet();
    for (Value request : requests) {
      Value audience = request.get("audience").orEmpty();
      if (!audiences.add(audience.node())) {
        audience.duplicate();
        continue;
      }
      Value seconds = request.get("expirationSeconds");
      if (seconds.present() && seconds.number() < SHORTEST_TOKEN_SECONDS) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
      if (seconds.number() > LONGEST_TOKEN_SECONDS) {
        seconds.invalid("may not specify a duration larger than 2^32 seconds");
      }
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    Value attach = spec.get("attachRequired");
    spec.get("attachedRequired").holding(attach.node()).immutable(was.get("attachRequired"));
    spec.get("volumeLifecycleModes").immutable(was.get("volumeLifecycleModes"));
  }
}
