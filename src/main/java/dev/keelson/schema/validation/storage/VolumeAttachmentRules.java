package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** Volume attachments. */
final class VolumeAttachmentRules implements KindRules {
  @Override
  public void validate(Value object) {
    Value source = object.get("spec", "source");
    boolean inline = source.get("inlineVolumeSpec").present();
    Value name = source.get("persistentVolumeName");
    if (inline && name.present()) {
      source.forbidden("must specify exactly one of inlineVolumeSpec and persistentVolumeName");
    } else if (!inline && name.absent()) {
      source.required("must specify exactly one of inlineVolumeSpec and persistentVolumeName");
    } else if (name.present()) {
      name.needed("must specify non empty persistentVolumeName");
    }
    object.get("spec", "nodeName").dnsSubdomain();
  }

  @Override
  public void validateCreate(Value object) {
    VolumeSourceRules.validateCsiDriverName(object.get("spec", "attacher"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec").immutable(old.get("spec"));
  }
}
