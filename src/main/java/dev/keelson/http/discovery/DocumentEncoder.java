package dev.keelson.http.discovery;

import dev.keelson.http.media.Format;
import dev.keelson.object.Node.MapNode;

/** Encodes discovery documents. */
@FunctionalInterface
public interface DocumentEncoder {

  /** Encodes a document in {@code format}; its apiVersion and kind select the schema. */
  byte[] encode(MapNode document, Format format);
}
