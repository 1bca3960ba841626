package dev.keelson.fuzz;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.MergePatch;
import dev.keelson.schema.patch.Patch;
import dev.keelson.schema.patch.PatchException;
import dev.keelson.schema.patch.StrategicMergePatch;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The first byte chooses a kind of patch, the rest is one, in JSON, for the same Pod always. */
final class PatchInput implements Consumer<byte[]> {

  private static final StructSchema PODS = DecoderInput.TYPES.getFirst();
  private static final MapNode POD =
      ObjectReader.json(
              """
              {"metadata":{"name":"p","labels":{"a":"b"},"finalizers":["x","y"]},
              "spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80}],
              "env":[{"name":"e","value":"v"}]},{"name":"d"}],
              "volumes":[{"name":"v","emptyDir":{}}],"tolerations":[{"key":"k"}]}}\
              """
                  .getBytes(StandardCharsets.UTF_8),
              PODS,
              FieldValidation.STRICT)
          .root();

  @Override
  public void accept(byte[] data) {
    if (data.length == 0) {
      return;
    }
    Node document = ObjectReader.untypedJson(DecoderInput.rest(data));
    try {
      Patch patch =
          switch ((data[0] & 0xFF) % 3) {
            case 0 -> JsonPatch.of(document);
            case 1 -> MergePatch.of(document);
            default -> StrategicMergePatch.of(document, PODS);
          };
      Node patched = patch.apply(POD);
      DecoderInput.roundTrips(
          ObjectReader.tree(patched, PODS, FieldValidation.STRICT).root(), PODS);
    } catch (PatchException refused) {
      if (String.valueOf(refused.getMessage()).isBlank()) {
        throw new IllegalStateException("refused without a word", refused);
      }
    }
  }
}
