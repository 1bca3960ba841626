package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What the attach/detach controller keeps of a VolumeAttachment.
 *
 * @param volume the name of the PersistentVolume; empty for a volume without one
 * @param attached whether the driver has attached it
 * @param error why the driver has not attached it; empty if it has not said so
 */
record AttachmentFacts(
    String name,
    String uid,
    String node,
    String volume,
    boolean deleting,
    boolean attached,
    String error) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("storage.k8s.io", "v1").resource("volumeattachments");

  /** Finds attachments by their node. */
  static final Index<AttachmentFacts> BY_NODE = new Index<>(each -> List.of(each.node()));

  /** Finds attachments by the name of their PersistentVolume. */
  static final Index<AttachmentFacts> BY_VOLUME = new Index<>(each -> List.of(each.volume()));

  static final InformerType<AttachmentFacts> TYPE =
      new InformerType<>(RESOURCE, AttachmentFacts::of, List.of(BY_NODE, BY_VOLUME));

  static AttachmentFacts of(ApiObject attachment) {
    MapNode spec = attachment.root().map("spec");
    MapNode status = attachment.root().map("status");
    return new AttachmentFacts(
        attachment.meta().name(),
        attachment.meta().uid(),
        spec.text("nodeName"),
        spec.map("source").text("persistentVolumeName"),
        attachment.meta().deleting(),
        status.get("attached") instanceof Node.Bool is && is.value(),
        status.map("attachError").text("message"));
  }

  /** The name of the attachment of a volume to a node, which external attachers know. */
  static String name(CsiVolume volume, String node) {
    byte[] text = (volume.handle() + volume.driver() + node).getBytes(StandardCharsets.UTF_8);
    try {
      return "csi-" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The object that asks a driver to attach a volume. */
  static ApiObject request(CsiVolume volume, String persistentVolume, String node) {
    MapNode spec =
        MapNode.builder(3)
            .put("attacher", Node.text(volume.driver()))
            .put("source", MapNode.of("persistentVolumeName", Node.text(persistentVolume)))
            .put("nodeName", Node.text(node))
            .build();
    return new ApiObject(
            MapNode.of("metadata", MapNode.of("name", Node.text(name(volume, node))))
                .with("spec", spec))
        .withType(RESOURCE.apiVersion(), "VolumeAttachment");
  }
}
