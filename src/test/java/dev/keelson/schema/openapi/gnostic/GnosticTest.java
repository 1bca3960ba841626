package dev.keelson.schema.openapi.gnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.Documents;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.OpenApiDocuments;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GnosticTest {

  private final OpenApiDocuments documents = Documents.plain();

  @Test
  void v2_decodedByFieldNumbers_hasTheContentOfTheJson() throws IOException {
    byte[] protobuf = documents.v2(Format.PROTOBUF).body();

    assertThat(difference("", Documents.v2(documents), GnosticDecoder.v2(protobuf))).isEmpty();
  }

  @Test
  void v3_decodedByFieldNumbers_hasTheContentOfTheJsonButDefaultsThatAreNoScalars()
      throws IOException {
    for (String name : Documents.names(documents)) {
      byte[] protobuf = documents.v3(name, Format.PROTOBUF).orElseThrow().body();
      JsonObject expected = Documents.v3(documents, name);
      dropComposedDefaults(expected);

      assertThat(difference(name, expected, GnosticDecoder.v3(protobuf))).isEmpty();
    }
  }

  @Test
  void unknownKey_inADocument_isAnErrorAndNotLost() {
    MapNode document = MapNode.of("host", Node.text("example.com"));

    assertThatThrownBy(() -> new Gnostic(ObjectWriter::json).v2(document))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("gnostic's Document has no field for host");
  }

  private static void dropComposedDefaults(JsonElement element) {
    if (element.isJsonArray()) {
      element.getAsJsonArray().forEach(GnosticTest::dropComposedDefaults);
    } else if (element.isJsonObject()) {
      JsonObject object = element.getAsJsonObject();
      JsonElement value = object.get("default");
      if (value != null && !value.isJsonPrimitive()) {
        object.remove("default");
      }
      for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
        if (entry.getKey().equals("properties")) {
          // The names of properties are no keys of a schema: one is called default.
          entry
              .getValue()
              .getAsJsonObject()
              .asMap()
              .values()
              .forEach(GnosticTest::dropComposedDefaults);
        } else {
          dropComposedDefaults(entry.getValue());
        }
      }
    }
  }

  /**
   * Where two values differ first; empty if they are equal. Whole documents are no help to read.
   */
  private static String difference(String path, @Nullable JsonElement a, @Nullable JsonElement b) {
    if (a instanceof JsonObject some && b instanceof JsonObject other) {
      Set<String> keys = new TreeSet<>(some.keySet());
      keys.addAll(other.keySet());
      return keys.stream()
          .map(key -> difference(path + "/" + key, some.get(key), other.get(key)))
          .filter(difference -> !difference.isEmpty())
          .findFirst()
          .orElse("");
    }
    return Objects.equals(a, b) ? "" : path + ": " + a + " against " + b;
  }
}
