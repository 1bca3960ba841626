package dev.keelson.controller.volume;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The CSI drivers that act for the plug-ins that Kubernetes had (source: {@code
 * csi-translation-lib}).
 */
final class Migration {

  /** The annotation with the driver that acts for the provisioner of a volume or claim. */
  static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  private static final List<PlugIn> PLUG_INS =
      List.of(
          new PlugIn("awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com"),
          new PlugIn("gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io"),
          new PlugIn("azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com"),
          new PlugIn("azureFile", "kubernetes.io/azure-file", "file.csi.azure.com"),
          new PlugIn("cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org"),
          new PlugIn("vsphereVolume", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com"),
          new PlugIn("portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com"));

  private static final Map<String, String> DRIVERS =
      PLUG_INS.stream().collect(Collectors.toUnmodifiableMap(PlugIn::name, PlugIn::driver));

  /**
   * A plug-in that Kubernetes had.
   *
   * @param field of the specification of a volume
   * @param name as provisioner
   * @param driver that acts for it
   */
  record PlugIn(String field, String name, String driver) {}

  private Migration() {}

  /**
   * The plug-in of a volume, if it is one that a driver has replaced.
   *
   * @param volume the specification of a PersistentVolume
   */
  static Optional<PlugIn> plugIn(MapNode volume) {
    return PLUG_INS.stream().filter(each -> volume.has(each.field())).findFirst();
  }

  /** The driver of a provisioner, which may be another one that has replaced it. */
  static String driver(String provisioner) {
    return DRIVERS.getOrDefault(provisioner, provisioner);
  }

  /**
   * An object with the annotation {@link #MIGRATED_TO} that its provisioner asks for; the same one
   * if it is right.
   *
   * @param keys the annotations with the provisioner, of which the first that is there counts
   */
  static ApiObject annotated(ApiObject object, List<String> keys) {
    Map<String, String> annotations = object.meta().annotations();
    String provisioner =
        keys.stream().filter(annotations::containsKey).findFirst().map(annotations::get).orElse("");
    if (provisioner.isEmpty()) {
      return object;
    }
    @Nullable String wanted = DRIVERS.get(provisioner);
    String told = annotations.getOrDefault(MIGRATED_TO, "");
    return told.equals(wanted == null ? "" : wanted)
        ? object
        : Annotations.set(object, MIGRATED_TO, wanted);
  }
}
