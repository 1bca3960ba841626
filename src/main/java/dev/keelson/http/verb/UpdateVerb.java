package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.write.Written;
import dev.keelson.request.Spans;

/** Updates an object: 200, or 201 if the update creates it. */
final class UpdateVerb implements VerbHandler {
  private final GenericRegistry registry;
  private final BodyReader reader;
  private final BodyWriter writer;

  UpdateVerb(GenericRegistry registry, BodyReader reader, BodyWriter writer) {
    this.registry = registry;
    this.reader = reader;
    this.writer = writer;
  }

  @Override
  public ApiResponse handle(ResourceCall call) {
    WriteOptions options = call.writeOptions();
    ApiObject object = reader.object(call.exchange(), call.definition());
    Spans.event("About to store object in database");
    Written written = registry.replace(call.collection(), call.info().name(), object, options);
    Spans.event("Write to database call succeeded");
    Spans.event(ABOUT_TO_WRITE);
    return writer.object(call.request(), written.created() ? 201 : 200, written.object());
  }
}
