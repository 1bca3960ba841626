package dev.keelson.fuzz;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.http.Query;
import dev.keelson.http.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** A query: its parameters are a label selector and a field selector each. */
final class TextInput implements Consumer<byte[]> {

  @Override
  public void accept(byte[] data) {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    attempt(() -> Query.parse(text).firsts().values().forEach(TextInput::selectors));
    selectors(text);
  }

  private static void selectors(String text) {
    attempt(() -> LabelSelector.parse(text).matches(Map.of("a", "b", "n", "7")));
    attempt(() -> FieldSelector.parse(text).matches(field -> field));
  }

  private static void attempt(Runnable reading) {
    try {
      reading.run();
    } catch (ApiException refused) {
      if (StatusCodes.of(refused.reason()) >= 500) {
        throw new IllegalStateException("a client's mistake is told as the server's", refused);
      }
    }
  }
}
