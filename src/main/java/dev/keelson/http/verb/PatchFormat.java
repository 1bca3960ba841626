package dev.keelson.http.verb;

import dev.keelson.registry.ObjectPatch;
import dev.keelson.schema.ResourceDefinition;

/** One kind of patch body. */
interface PatchFormat {

  /** The Content-Type that names it, in lower case. */
  String mediaType();

  /** Whether objects of the resource can be changed by it. */
  boolean fits(ResourceDefinition definition);

  /**
   * Reads the body of a request.
   *
   * @throws dev.keelson.api.ApiException of reason BadRequest if it is no such patch, or what the
   *     parameters deserve
   */
  ObjectPatch read(ResourceCall call);
}
