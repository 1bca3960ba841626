package dev.keelson.http.verb;

import dev.keelson.registry.ObjectPatch;
import dev.keelson.schema.ResourceDefinition;

/** One kind of patch body. */
interface PatchFormat {

  /** The Content-Type, in lower case. */
  String mediaType();

  /** Whether the resource supports it. */
  boolean fits(ResourceDefinition definition);

  /**
   * Parses the body of a request.
   *
   * @throws dev.keelson.api.ApiException of reason BadRequest if the body is malformed, or for
   *     invalid parameters
   */
  ObjectPatch read(ResourceCall call);
}
