package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** CSI drivers. */
final class CsiDriverRules implements KindRules {
  @Override
  public void validate(Value object) {
    VolumeSourceRules.validateCsiDriverName(object.get("metadata", "name"));
    Value requests = object.get("spec", "tokenRequests");
    for (Value request : requests) {
      Value seconds = request.get("expirationSeconds");
      if (seconds.present() && seconds.number() < 600) {
        seconds.invalid("may not specify a duration less than 10 minutes");
      }
    }
    requests.uniqueBy("audience");
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
