package dev.keelson.flow.level;

import dev.keelson.flow.queue.Flow;
import dev.keelson.flow.rule.FlowSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Where a request belongs.
 *
 * @param schema the FlowSchema that matched
 * @param distinguisher what tells its flow from others; empty in levels with one queue or none
 */
public record Classified(FlowSchema schema, Level level, String distinguisher) {

  /**
   * The flow of the request.
   *
   * @param details the request, for the debug endpoints
   */
  public Flow flow(Object details) {
    boolean queued = level.spec().queuing() != null;
    return new Flow(
        schema.name(), distinguisher, queued ? hash(schema.name(), distinguisher) : 0, details);
  }

  /** A hash that clients cannot steer into the hand of another flow. */
  private static long hash(String schema, String distinguisher) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(schema.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(distinguisher.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
