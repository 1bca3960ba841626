package dev.keelson.schema.codec.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of objects, in JSON with single quotes. */
@Timeout(120)
class ExcerptTest {

  private static byte[] utf8(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String read(String json, String... paths) {
    byte[] bytes = utf8(json);
    Node tree =
        Objects.requireNonNull(Excerpt.of(List.of(paths)).read(bytes, 0, bytes.length)).root();
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':1,'b':{'c':2,'d':[3]},'e':'x'} # b # {'b':{'c':2,'d':[3]}}
          {'a':1,'b':{'c':2,'d':[3]},'e':'x'} # b.c # {'b':{'c':2}}
          {'b':[{'c':1,'x':'}'},{'x':[]},{'c':2}]} # b.c # {'b':[{'c':1},{},{'c':2}]}
          {'b':[],'c':{}} # b.c # {'b':[]}
          {'b':{},'c':{}} # b.c # {'b':{}}
          {'b':null,'c':{}} # b.c # {}
          {'b':'text'} # b.c # {'b':'text'}
          {'b':[true,false,-12,1.5,9223372036854775807,'\\u003c\\\\']} # b # {'b':[true,false,-12,1.5,9223372036854775807,'\\u003c\\\\']}
          {'x\\'}':{'b':0},'b':1} # b # {'b':1}
          {} # b # {}
          """)
  void path_isFoundAndNothingElse(String json, String path, String expected) {
    assertThat(read(json, path)).isEqualTo(expected);
  }

  @Test
  void severalPaths_areReadTogether() {
    assertThat(read("{'s':{'z':1,'y':{'v':2,'w':3},'x':4},'t':5}", "s.y.w", "s.x", "t"))
        .isEqualTo("{'s':{'y':{'w':3},'x':4},'t':5}");
  }

  @Test
  void entries_areCountedWithoutTheirValues() {
    assertThat(read("{'a':{'k':'v','l':{'m':1}},'b':[{'x':1},[2],3]}", "a.#", "b.#"))
        .isEqualTo("{'a':{'k':null,'l':null},'b':[null,null,null]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "", "{ 'a':1}", "{'a':{'b'", "{'x':'\\\\", "{'a'"})
  void whatNoEncoderWrites_isNotRead(String json) {
    byte[] bytes = utf8(json);

    assertThat(Excerpt.of(List.of("b", "a.b")).read(bytes, 0, bytes.length)).isNull();
  }

  @Test
  void damage_isReadOrRefusedButNeverFails() {
    Excerpt excerpt = Excerpt.of(List.of("a.b", "c", "d.#", "e.f"));
    byte[] whole =
        utf8("{'a':{'b':1},'c':{'x':[1,'\\\\n',true]},'d':{'k':{}},'e':[{'f':'\\u00e9'}]}");
    Random random = new Random(5);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = whole.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        damaged[random.nextInt(damaged.length)] = whole[random.nextInt(whole.length)];
      }
      int to = random.nextInt(whole.length + 1);
      refused += excerpt.read(damaged, 0, to) == null ? 1 : 0;
    }
    assertThat(refused).isBetween(5_000, 19_999);
  }
}
