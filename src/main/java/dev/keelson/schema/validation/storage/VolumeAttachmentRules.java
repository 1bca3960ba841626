package dev.keelson.schema.validation.storage;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.PersistentVolumeRules;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** Volume attachments. */
final class VolumeAttachmentRules implements KindRules {
  private static final int MOST_METADATA = 256 * 1024;
  private static final int LONGEST_MESSAGE = 1024;

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
    } else {
      PersistentVolumeRules.validateInlineSpec(source.get("inlineVolumeSpec"));
    }
    String problem = Names.dnsSubdomain(object.get("spec", "nodeName").text());
    if (!problem.isEmpty()) {
      object.get("spec", "nodeName").orEmpty().invalid(problem);
    }
    Value metadata = object.get("status", "attachmentMetadata");
    long characters = 0;
    for (Value each : metadata) {
      characters += each.name().length() + each.text().length();
    }
    if (characters > MOST_METADATA) {
      metadata.tooLong(MOST_METADATA);
    }
    error(object.get("status", "attachError"));
    error(object.get("status", "detachError"));
  }

  private static void error(Value error) {
    if (error.get("message").text().length() > LONGEST_MESSAGE) {
      // Kubernetes tells the bound of the metadata
      error.get("message").tooLong(MOST_METADATA);
    }
    error.get("errorCode").range(0, Integer.MAX_VALUE);
  }

  @Override
  public void validateCreate(Value object) {
    VolumeSourceRules.validateCsiDriverName(object.get("spec", "attacher"));
    GivenText.validate(object.get("spec", "source", "persistentVolumeName"), Formats.DNS_SUBDOMAIN);
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec").immutable(old.get("spec"));
  }

  /** The status is validated like the rest, with the rest. */
  @Override
  public void validateStatusUpdate(Value object, Value old) {
    int before = object.causeCount();
    validate(object);
    object.repeatCauses(before, object.causeCount());
    validateUpdate(object, old);
  }
}
