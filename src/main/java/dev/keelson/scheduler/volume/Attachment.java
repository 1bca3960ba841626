package dev.keelson.scheduler.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What the scheduler keeps of a VolumeAttachment.
 *
 * @param volume the name of the PersistentVolume; empty for a volume without one
 */
record Attachment(String node, String attacher, String volume) {

  /** Finds attachments by the name of their node. */
  static final Index<Attachment> BY_NODE = new Index<>(attachment -> List.of(attachment.node()));

  static final InformerType<Attachment> TYPE =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("volumeattachments"),
          Attachment::of,
          List.of(BY_NODE));

  static Attachment of(ApiObject attachment) {
    MapNode spec = attachment.root().map("spec");
    return new Attachment(
        spec.text("nodeName"),
        spec.text("attacher"),
        spec.map("source").text("persistentVolumeName"));
  }
}
