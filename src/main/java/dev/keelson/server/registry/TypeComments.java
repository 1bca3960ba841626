package dev.keelson.server.registry;

import dev.keelson.schema.proto.SchemaDocs;
import java.lang.ref.SoftReference;

/**
 * The descriptions of types and fields, loaded on first use and held softly: documents built from
 * them are cached, so they are rarely needed twice. Safe for use by several threads.
 */
public final class TypeComments {

  private SoftReference<SchemaDocs> loaded = new SoftReference<>(null);

  /** Returns the description of a type; empty if there is none. */
  public String of(String messageName) {
    return docs().describe(messageName);
  }

  /** Returns the description of a field; empty if there is none. */
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
