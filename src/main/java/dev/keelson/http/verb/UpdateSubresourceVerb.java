package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;

/** Updates a subresource of an object. */
final class UpdateSubresourceVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyReader reader;
  private final BodyWriter writer;

  UpdateSubresourceVerb(GenericRegistry registry, BodyReader reader, BodyWriter writer) {
    this.registry = registry;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    WriteOptions options = call.writeOptions();
    ApiObject object = reader.object(call.exchange(), call.definition());
    return writer.object(
        call.request(),
        200,
        registry.replacePart(
            call.collection(), call.info().subresource(), call.info().name(), object, options));
  }
}
