package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import java.util.Map;

/** Classes of storage and the drivers behind them. */
final class StorageRules {

  private static final String GROUP = "storage.k8s.io/";
  private static final int MOST_PARAMETERS = 512;
  private static final int PARAMETER_BYTES = 256 * 1024;

  private StorageRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put(GROUP + "StorageClass", new StorageClass());
    rules.put(GROUP + "VolumeAttributesClass", new VolumeAttributesClass());
    rules.put(GROUP + "VolumeAttachment", new VolumeAttachment());
    rules.put(GROUP + "CSIDriver", new Driver());
    rules.put(GROUP + "CSINode", new DriverNode());
    rules.put(GROUP + "CSIStorageCapacity", new Capacity());
  }

  private static void parameters(Value parameters) {
    if (parameters.size() > MOST_PARAMETERS) {
      parameters.tooLong(MOST_PARAMETERS);
      return;
    }
    long bytes = 0;
    for (Value entry : parameters) {
      if (entry.name().isEmpty()) {
        parameters.invalid("", "field can not be empty.");
      }
      bytes += entry.name().length() + entry.text().length();
    }
    if (bytes > PARAMETER_BYTES) {
      parameters.tooLong(PARAMETER_BYTES);
    }
  }

  private static void fixed(Value object, Value old, String... fields) {
    for (String field : fields) {
      Value now = object.get(field);
      Value was = old.get(field);
      if (!now.sameAs(was) && (now.filled() || was.filled())) {
        now.forbidden("updates to " + field + " are forbidden.");
      }
    }
  }

  private record StorageClass() implements TypeRules {
    @Override
    public void check(Value object) {
      Value provisioner = object.get("provisioner");
      if (provisioner.filled()) {
        String problem =
            Formats.QUALIFIED_NAME.apply(provisioner.text().toLowerCase(java.util.Locale.ROOT));
        if (!problem.isEmpty()) {
          provisioner.invalid(problem);
        }
      }
      parameters(object.get("parameters"));
      for (Value term : object.get("allowedTopologies")) {
        for (Value each : term.get("matchLabelExpressions")) {
          Labels.name(each.get("key"));
          each.get("values").unique();
        }
        term.get("matchLabelExpressions").uniqueBy("key");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      fixed(object, old, "parameters", "provisioner", "reclaimPolicy");
      Value mode = object.get("volumeBindingMode");
      if (mode.present() || old.get("volumeBindingMode").present()) {
        mode.immutable(old.get("volumeBindingMode"));
      }
    }
  }

  private record VolumeAttributesClass() implements TypeRules {
    @Override
    public void check(Value object) {
      VolumeRules.driverName(object.get("driverName"));
      Value parameters = object.get("parameters");
      if (parameters.size() == 0) {
        parameters.required("must contain at least one key/value pair");
      }
      parameters(parameters);
    }

    @Override
    public void changed(Value object, Value old) {
      fixed(object, old, "driverName", "parameters");
    }
  }

  private record VolumeAttachment() implements TypeRules {
    @Override
    public void check(Value object) {
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
    public void created(Value object) {
      VolumeRules.driverName(object.get("spec", "attacher"));
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("spec").immutable(old.get("spec"));
    }
  }

  private record Driver() implements TypeRules {
    @Override
    public void check(Value object) {
      VolumeRules.driverName(object.get("metadata", "name"));
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
    public void changed(Value object, Value old) {
      Value spec = object.get("spec");
      Value was = old.get("spec");
      Value attach = spec.get("attachRequired");
      spec.get("attachedRequired").holding(attach.node()).immutable(was.get("attachRequired"));
      spec.get("volumeLifecycleModes").immutable(was.get("volumeLifecycleModes"));
    }
  }

  private record DriverNode() implements TypeRules {
    @Override
    public void check(Value object) {
      Value drivers = object.get("spec", "drivers");
      for (Value driver : drivers) {
        VolumeRules.driverName(driver.get("name"));
        if (driver.get("nodeID").text().length() > 192) {
          driver.get("nodeID").invalid("must be 192 characters or less");
        }
        driver.get("allocatable", "count").notNegative();
        Value keys = driver.get("topologyKeys");
        for (Value key : keys) {
          Labels.name(key);
        }
        keys.unique();
      }
      drivers.uniqueBy("name");
    }

    @Override
    public void changed(Value object, Value old) {
      Value drivers = object.get("spec", "drivers");
      for (Value was : old.get("spec", "drivers")) {
        for (Value now : drivers) {
          if (now.get("name").sameAs(was.get("name")) && !now.sameAs(was)) {
            MapNode rest = now.map().without("allocatable");
            if (!rest.equals(was.map().without("allocatable"))) {
              now.invalidAt(object.get("CSINodeDriver"), "field is immutable");
            }
          }
        }
      }
    }
  }

  private record Capacity() implements TypeRules {
    @Override
    public void check(Value object) {
      object.get("storageClassName").dnsSubdomain();
      Labels.selector(object.get("nodeTopology"));
      Amount.notNegative(object.get("capacity"));
      Amount.notNegative(object.get("maximumVolumeSize"));
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("nodeTopology").immutable(old.get("nodeTopology"));
      object.get("storageClassName").immutable(old.get("storageClassName"));
    }
  }
}
