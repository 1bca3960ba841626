package dev.keelson.server.registry;

import dev.keelson.schema.proto.SchemaDocs;
import java.lang.ref.SoftReference;

/**
 * The comments on types, loaded when they are first needed and let go when memory is: documents
 * that are built from them are cached, so they are seldom needed twice. Safe for use by several
 * threads.
 */
public final class TypeComments {

  private SoftReference<SchemaDocs> loaded = new SoftReference<>(null);

  /** What is said of a type; empty if nothing is. */
  public String of(String messageName) {
    return docs().describe(messageName);
  }

  /** What is said of a field; empty if nothing is. */
  public String of(String messageName, String jsonField) {
    return docs().describe(messageName, jsonField);
  }

  private synchronized SchemaDocs docs() {
    SchemaDocs docs = loaded.get();
    if (docs == null) {
      docs = SchemaDocs.fromClassPath();
      loaded = new SoftReference<>(docs);
    }
    return docs;
  }
}
