package dev.keelson.schema.codec.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagedFieldsTest {

  private static final String MANAGED =
      "'managedFields':[{'manager':'a]}','fieldsV1':{'f:data':{'.':{}}}}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'kind':'A','metadata':{'name':'x',#},'data':1};{'kind':'A','metadata':{'name':'x'},'data':1}",
        "{'metadata':{#,'name':'x'}};{'metadata':{'name':'x'}}",
        "{'metadata':{'name':'x',#,'uid':'u'}};{'metadata':{'name':'x','uid':'u'}}",
        "{'metadata':{#}};{'metadata':{}}",
        "{'metadata':{'labels':{#}}};{'metadata':{'labels':{#}}}",
        "{'spec':{'metadata':{#}}};{'spec':{'metadata':{#}}}",
        "{#};{#}",
        "{'metadata':{'a':'\\'managedFields\\':[','b':'\\\\',#}};{'metadata':{'a':'\\'managedFields\\':[','b':'\\\\'}}",
      })
  void object_losesThoseOfItsMetadataAlone(String before, String after) {
    assertThat(text(ManagedFields.removedFromObject(json(before)))).isEqualTo(text(json(after)));
  }

  @Test
  void lineEnd_staysBehindTheObject() {
    assertThat(text(ManagedFields.removedFromObject(json("{'metadata':{'name':'x',#}}\n"))))
        .isEqualTo(text(json("{'metadata':{'name':'x'}}\n")));
  }

  @Test
  void event_losesThoseOfItsObject() {
    assertThat(
            text(
                ManagedFields.removedFromEvent(
                    json("{'type':'ADDED','object':{'metadata':{'name':'x',#},'spec':{}}}\n"))))
        .isEqualTo(text(json("{'type':'ADDED','object':{'metadata':{'name':'x'},'spec':{}}}\n")));
  }

  @Test
  void list_losesThoseOfAllObjects() {
    assertThat(
            text(
                ManagedFields.removedFromList(
                    json(
                        "{'metadata':{#},'items':[{'metadata':{'name':'x',#}},{'metadata':{}},"
                            + "{'metadata':{#}}]}"))))
        .isEqualTo(
            text(
                json(
                    "{'metadata':{#},'items':[{'metadata':{'name':'x'}},{'metadata':{}},"
                        + "{'metadata':{}}]}")));
  }

  @ParameterizedTest
  @CsvSource({"[]", "{}", "1", "{'items':[]}", "{'items':null}", "{'items':[]", "{'items':[{}"})
  void list_withoutObjects_isReturned(String list) {
    byte[] json = list.replace('\'', '"').getBytes(StandardCharsets.UTF_8);

    assertThat(ManagedFields.removedFromList(json)).isSameAs(json);
  }

  @Test
  void partsOfJson_areReturned_orHaveLessThanBefore() {
    byte[] whole = json("{'kind':'A','metadata':{'name':'x',#},'items':[{'metadata':{#}}]}");
    for (int length = 0; length < whole.length; length++) {
      byte[] part = new byte[length];
      System.arraycopy(whole, 0, part, 0, length);

      assertThat(ManagedFields.removedFromObject(part)).hasSizeLessThanOrEqualTo(length);
      assertThat(ManagedFields.removedFromList(part)).hasSizeLessThanOrEqualTo(length);
      assertThat(ManagedFields.removedFromEvent(part)).isSameAs(part);
    }
  }

  @Test
  void whiteSpace_isReturned() {
    byte[] json = json("{ 'metadata': {#} }");

    assertThat(ManagedFields.removedFromObject(json)).isSameAs(json);
  }

  /** With {@code '} for quotation marks and {@code #} for managed fields. */
  private static byte[] json(String text) {
    return text.replace("#", MANAGED).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
