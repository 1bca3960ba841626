package dev.keelson.controller.workload;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Compares the pod templates of Deployments and their ReplicaSets. */
public final class PodTemplate {

  /** The label that distinguishes the pods of the ReplicaSets of a Deployment. */
  public static final String HASH_LABEL = "pod-template-hash";

  private static final String SAFE = "bcdfghjklmnpqrstvwxz2456789";
  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private PodTemplate() {}

  /** Identifies a template apart from its {@link #HASH_LABEL}: equal templates have one digest. */
  public static String digest(MapNode template) {
    MapNode metadata = template.map("metadata");
    MapNode labels = metadata.map("labels").without(HASH_LABEL);
    MapNode plain =
        template.with("metadata", metadata.without("creationTimestamp").with("labels", labels));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(ObjectWriter.json(sorted(plain))));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same value with keys in order. */
  static Node sorted(Node node) {
    return switch (node) {
      case MapNode map -> {
        List<String> keys = new ArrayList<>(map.keys());
        Collections.sort(keys);
        MapNode.Builder result = MapNode.builder(keys.size());
        for (String key : keys) {
          Node value = map.get(key);
          if (value != null) {
            result.put(key, sorted(value));
          }
        }
        yield result.build();
      }
      case Node.Items items ->
          new Node.Items(items.values().stream().map(PodTemplate::sorted).toList());
      default -> node;
    };
  }

  /**
   * The value of {@link #HASH_LABEL} of a template, in letters that make no words.
   *
   * @param collisions how often another ReplicaSet had the name already
   */
  public static String hash(String digest, long collisions) {
    int hash = FNV_OFFSET;
    String text = collisions == 0 ? digest : digest + "/" + collisions;
    for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    StringBuilder safe = new StringBuilder();
    for (char c : Integer.toUnsignedString(hash).toCharArray()) {
      safe.append(SAFE.charAt(c % SAFE.length()));
    }
    return safe.toString();
  }
}
