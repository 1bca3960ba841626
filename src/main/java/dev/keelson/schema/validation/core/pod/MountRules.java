package dev.keelson.schema.validation.core.pod;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.Map;

/** The mounts and the block devices of a container. */
final class MountRules {
  private MountRules() {}

  static void validateVolumeMounts(Value container, Map<String, Value> volumes) {
    Value mounts = container.get("volumeMounts");
    Value devices = container.get("volumeDevices");
    boolean privileged = container.get("securityContext", "privileged").flag();
    ValueSet paths = new ValueSet();
    ValueSet deviceNames = devices.valuesOf("name");
    ValueSet devicePaths = devices.valuesOf("devicePath");
    for (Value mount : mounts) {
      Value name = mount.get("name").orEmpty().needed();
      if (!volumes.containsKey(name.text())) {
        name.notFound();
      }
      Value path = mount.declared("mountPath").get("mountPath").orEmpty();
      if (!paths.add(path.node())) {
        path.invalid("must be unique");
      }
      if (deviceNames.contains(name.node())) {
        name.invalid("must not already exist in volumeDevices");
      }
      if (devicePaths.contains(path.node())) {
        path.invalid("must not already exist as a path in volumeDevices");
      }
      validateSubPaths(mount, mounts);
      validateMountPropagation(
          mount.get("mountPropagation"), mounts.get("mountPropagation"), privileged);
      validateRecursiveReadOnly(mount, mounts.get("recursiveReadOnly"));
    }
    validateVolumeDevices(devices, mounts, volumes);
  }

  private static void validateSubPaths(Value mount, Value mounts) {
    Value path = mount.get("subPath");
    Value expression = mount.get("subPathExpr");
    // Kubernetes names the list, not the mount
    mounts.get("subPath").holding(path.node()).as(Formats.RELATIVE_PATH);
    if (path.filled() && expression.filled()) {
      expression.invalid("subPathExpr and subPath are mutually exclusive");
    }
    mounts.get("subPathExpr").holding(expression.node()).as(Formats.RELATIVE_PATH);
  }

  private static void validateMountPropagation(
      Value propagation, Value shownAt, boolean privileged) {
    Value shown = shownAt.holding(propagation.node());
    if (propagation.present() && !propagation.filled()) {
      shown.unsupported("Bidirectional", "HostToContainer", "None");
    }
    shown.oneOf("Bidirectional", "HostToContainer", "None");
    if (propagation.is("Bidirectional") && !privileged) {
      shownAt.forbidden(
          "Bidirectional mount propagation is available only to privileged containers");
    }
  }

  private static void validateRecursiveReadOnly(Value mount, Value shownAt) {
    Value mode = mount.get("recursiveReadOnly");
    if (mode.absent() || mode.is("Disabled")) {
      return;
    }
    if (!mode.is("Enabled") && !mode.is("IfPossible")) {
      shownAt.holding(mode.node()).unsupported("Disabled", "Enabled", "IfPossible");
      return;
    }
    if (!mount.get("readOnly").flag()) {
      shownAt.forbidden("may only be specified when readOnly is true");
    }
    Value propagation = mount.get("mountPropagation");
    if (propagation.present() && !propagation.is("None")) {
      shownAt.forbidden("may only be specified when mountPropagation is None or not specified");
    }
  }

  private static void validateVolumeDevices(
      Value devices, Value mounts, Map<String, Value> volumes) {
    ValueSet names = new ValueSet();
    ValueSet paths = new ValueSet();
    ValueSet mountNames = mounts.valuesOf("name");
    ValueSet mountPaths = mounts.valuesOf("mountPath");
    for (Value device : devices) {
      Value name = device.get("name").orEmpty().needed();
      Value path = device.get("devicePath").orEmpty();
      if (names.contains(name.node())) {
        name.invalid("must be unique");
      }
      Value source = volumes.get(name.text());
      if (source == null) {
        name.notFound();
      } else if (source.get("persistentVolumeClaim").absent() && source.get("ephemeral").absent()) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      device.declared("devicePath");
      if (paths.contains(path.node())) {
        path.invalid("must be unique");
      }
      if (!Formats.NO_PARENT.apply(path.text()).isEmpty()) {
        path.invalid("can not contain backsteps ('..')");
      } else {
        paths.add(path.node());
      }
      if (mountNames.contains(name.node())) {
        name.invalid("must not already exist in volumeMounts");
      }
      if (mountPaths.contains(path.node())) {
        path.invalid("must not already exist as a path in volumeMounts");
      }
      if (name.filled()) {
        names.add(name.node());
      }
    }
  }
}
