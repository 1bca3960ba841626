package dev.keelson.authz.node;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The graph of objects that relate to nodes. One thread writes; concurrent readers may see a partly
 * applied change, but no relation that is neither in the old nor in the new state.
 */
final class NodeGraph implements ObjectSink<GraphSource.Kind> {

  private record Key(String namespace, String name) {}

  private record Pod(String node, Set<Reference> needs) {}

  private record Volume(Reference claim, Set<Reference> secrets) {}

  private final Map<Key, Pod> pods = new ConcurrentHashMap<>();
  private final Map<String, Map<Reference, Integer>> needs = new ConcurrentHashMap<>();
  private final Map<String, Volume> volumes = new ConcurrentHashMap<>();
  private final Map<Reference, Set<String>> volumesBySecret = new ConcurrentHashMap<>();
  private final Map<String, String> attachments = new ConcurrentHashMap<>();
  private final Map<String, String> slices = new ConcurrentHashMap<>();

  /** Whether a pod of the node, or a volume that one mounts, refers to the object. */
  boolean relates(String node, Reference object) {
    if (needs(node, object)) {
      return true;
    }
    for (String volume : volumesBySecret.getOrDefault(object, Set.of())) {
      if (relatesVolume(node, volume)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pod of the node mounts the volume. */
  boolean relatesVolume(String node, String name) {
    Volume volume = volumes.get(name);
    return volume != null && needs(node, volume.claim);
  }

  /** Whether the VolumeAttachment is for the node. */
  boolean relatesAttachment(String node, String name) {
    return node.equals(attachments.get(name));
  }

  /** Whether the ResourceSlice has devices of the node alone. */
  boolean relatesSlice(String node, String name) {
    return node.equals(slices.get(name));
  }

  /** Whether the pod is bound to the node. */
  boolean hasPod(String node, String namespace, String name) {
    Pod pod = pods.get(new Key(namespace, name));
    return pod != null && pod.node.equals(node);
  }

  private boolean needs(String node, Reference object) {
    Map<Reference, Integer> counts = needs.get(node);
    return counts != null && counts.containsKey(object);
  }

  @Override
  public void clear(GraphSource.Kind kind) {
    switch (kind) {
      case POD -> Set.copyOf(pods.keySet()).forEach(this::removePod);
      case PERSISTENT_VOLUME -> Set.copyOf(volumes.keySet()).forEach(this::removeVolume);
      case VOLUME_ATTACHMENT -> attachments.clear();
      case RESOURCE_SLICE -> slices.clear();
    }
  }

  @Override
  public void put(GraphSource.Kind kind, ApiObject object) {
    MapNode spec = object.root().map("spec");
    String name = object.meta().name();
    switch (kind) {
      case POD -> putPod(new Key(object.meta().namespace(), name), spec.text("nodeName"), object);
      case PERSISTENT_VOLUME -> {
        removeVolume(name);
        MapNode claim = spec.map("claimRef");
        if (!claim.isEmpty()) {
          String namespace = claim.text("namespace");
          Volume volume =
              new Volume(
                  new Reference(Reference.CLAIMS, namespace, claim.text("name")),
                  Reference.ofVolume(spec, namespace));
          volumes.put(name, volume);
          for (Reference secret : volume.secrets) {
            boolean unused =
                volumesBySecret
                    .computeIfAbsent(secret, key -> ConcurrentHashMap.newKeySet())
                    .add(name);
          }
        }
      }
      case VOLUME_ATTACHMENT -> attachments.put(name, spec.text("nodeName"));
      case RESOURCE_SLICE -> slices.put(name, spec.text("nodeName"));
    }
  }

  @Override
  public void remove(GraphSource.Kind kind, String namespace, String name) {
    switch (kind) {
      case POD -> removePod(new Key(namespace, name));
      case PERSISTENT_VOLUME -> removeVolume(name);
      case VOLUME_ATTACHMENT -> attachments.remove(name);
      case RESOURCE_SLICE -> slices.remove(name);
    }
  }

  private void putPod(Key key, String node, ApiObject object) {
    Set<Reference> wanted =
        node.isEmpty() || Reference.isMirror(object) ? Set.of() : Reference.ofPod(object);
    Pod next = new Pod(node, wanted);
    Pod old = pods.put(key, next);
    if (next.equals(old)) {
      return;
    }
    if (!wanted.isEmpty()) {
      Map<Reference, Integer> counts =
          needs.computeIfAbsent(node, name -> new ConcurrentHashMap<>());
      wanted.forEach(one -> counts.merge(one, 1, Integer::sum));
    }
    if (old != null) {
      release(old);
    }
  }

  private void removePod(Key key) {
    Pod old = pods.remove(key);
    if (old != null) {
      release(old);
    }
  }

  private void release(Pod old) {
    Map<Reference, Integer> counts = needs.get(old.node);
    if (counts != null) {
      old.needs.forEach(
          one -> counts.computeIfPresent(one, (key, count) -> count == 1 ? null : count - 1));
    }
  }

  private void removeVolume(String name) {
    Volume old = volumes.remove(name);
    if (old != null) {
      for (Reference secret : old.secrets) {
        volumesBySecret.computeIfPresent(
            secret,
            (key, names) -> {
              names.remove(name);
              return names.isEmpty() ? null : names;
            });
      }
    }
  }
}
