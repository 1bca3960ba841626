package dev.keelson.controller.volume;

import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CSI drivers that act for the plug-ins that Kubernetes had (source: {@code
 * csi-translation-lib}).
 */
final class Migration {

  /** The annotation with the driver that acts for the provisioner of a volume or claim. */
  static final String MIGRATED_TO = "pv.kubernetes.io/migrated-to";

  private static final Map<String, String> DRIVERS =
      Map.of(
          "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
          "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
          "kubernetes.io/azure-disk", "disk.csi.azure.com",
          "kubernetes.io/azure-file", "file.csi.azure.com",
          "kubernetes.io/cinder", "cinder.csi.openstack.org",
          "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com",
          "kubernetes.io/portworx-volume", "pxd.portworx.com");

  private Migration() {}

  /** The driver of a provisioner or plug-in, which may be another one that has replaced it. */
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
