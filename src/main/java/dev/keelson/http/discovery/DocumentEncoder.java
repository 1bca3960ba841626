package dev.keelson.http.discovery;

import dev.keelson.http.media.Format;
import dev.keelson.object.Node.MapNode;

/** Writes discovery documents. */
@FunctionalInterface
public interface DocumentEncoder {

  /** The document in {@code format}; its kind and apiVersion tell its type. */
  byte[] encode(MapNode document, Format format);
}
