package dev.keelson.http.verb;

import dev.keelson.api.Verb;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.SubresourceDefinition;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.subresource.ScaleResource;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Map;

/** Gets and updates the subresource scale. */
final class ScaleVerbs {
  private final ScaleResource scales;
  private final BodyReader reader;
  private final BodyWriter writer;
  private final List<PatchFormat> formats;

  ScaleVerbs(
      ScaleResource scales, BodyReader reader, BodyWriter writer, List<PatchFormat> formats) {
    this.scales = scales;
    this.reader = reader;
    this.writer = writer;
    this.formats = formats;
  }

  Map<Verb, VerbHandler> handlers() {
    return Map.of(Verb.GET, this::get, Verb.UPDATE, this::update, Verb.PATCH, this::patch);
  }

  private ApiResponse get(ResourceCall call) {
    return writer.object(call.request(), 200, scales.get(call.collection(), call.info().name()));
  }

  private ApiResponse update(ResourceCall call) {
    WriteOptions options = call.writeOptions();
    ApiObject scale = reader.object(call.exchange(), scale(call));
    return writer.object(
        call.request(), 200, scales.replace(call.collection(), call.info().name(), scale, options));
  }

  private ApiResponse patch(ResourceCall call) {
    PatchVerb verb =
        new PatchVerb(
            (_, name, patch, options) -> scales.patch(call.collection(), name, patch, options),
            formats,
            writer);
    return verb.handle(call.with(scale(call)));
  }

  private static ResourceDefinition scale(ResourceCall call) {
    return SubresourceDefinition.of(call.definition(), call.info().subresource());
  }
}
