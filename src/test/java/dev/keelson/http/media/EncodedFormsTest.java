package dev.keelson.http.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EncodedFormsTest {

  private static final StructSchema SCHEMA = new StructSchema("x.A", false, false, List::of);
  private static final StructSchema OTHER = new StructSchema("x.B", false, false, List::of);
  private static final byte[] FORM = new byte[1000];

  private static Bytes stored(String text) {
    return Bytes.utf8(text);
  }

  @Test
  void form_askedForOnce_isNotKept() {
    EncodedForms<byte[]> forms = new EncodedForms<>(1 << 20, form -> form.length);
    Bytes stored = stored("a");

    forms.offer(stored, SCHEMA, 7, FORM);
    assertThat(forms.find(stored, SCHEMA, 7)).isNull();

    forms.offer(stored, SCHEMA, 7, FORM);
    assertThat(forms.find(stored, SCHEMA, 7)).isSameAs(FORM);
  }

  @Test
  void formsOfLongListThatIsRequestedAgain_areKept() {
    EncodedForms<byte[]> forms = new EncodedForms<>(1L << 30, form -> form.length);
    List<Bytes> list = IntStream.range(0, 10_000).mapToObj(i -> stored("object " + i)).toList();
    for (int request = 0; request < 3; request++) {
      list.forEach(stored -> forms.offer(stored, SCHEMA, 1, FORM));
    }

    assertThat(list.stream().filter(stored -> forms.find(stored, SCHEMA, 1) != null).count())
        .isGreaterThan(9_900);
  }

  @Test
  void form_isOfTheseBytesTheirRevisionAndSchema() {
    EncodedForms<byte[]> forms = new EncodedForms<>(1 << 20, form -> form.length);
    Bytes stored = stored("a");
    forms.offer(stored, SCHEMA, 7, FORM);
    forms.offer(stored, SCHEMA, 7, FORM);

    assertThat(forms.find(stored("a"), SCHEMA, 7)).isNull();
    assertThat(forms.find(stored, SCHEMA, 8)).isNull();
    assertThat(forms.find(stored, OTHER, 7)).isNull();
  }

  @Test
  void anotherSchema_takesThePlace() {
    EncodedForms<byte[]> forms = new EncodedForms<>(1 << 20, form -> form.length);
    Bytes stored = stored("a");
    for (StructSchema schema : List.of(SCHEMA, SCHEMA, OTHER)) {
      forms.offer(stored, schema, 7, FORM);
    }

    assertThat(forms.find(stored, OTHER, 7)).isSameAs(FORM);
    assertThat(forms.find(stored, SCHEMA, 7)).isNull();
    assertThat(forms.used()).isLessThan(2L * FORM.length);
  }

  @Test
  void budget_isNeverExceeded_andWhatIsUsedStays() {
    EncodedForms<byte[]> forms = new EncodedForms<>(20L * FORM.length, form -> form.length);
    List<Bytes> all = new ArrayList<>();
    Bytes favourite = stored("favourite");
    forms.offer(favourite, SCHEMA, 1, FORM);
    forms.offer(favourite, SCHEMA, 1, FORM);
    for (int i = 0; i < 500; i++) {
      Bytes stored = stored("object " + i);
      all.add(stored);
      forms.offer(stored, SCHEMA, 1, FORM);
      forms.offer(stored, SCHEMA, 1, FORM);

      assertThat(forms.used()).isLessThanOrEqualTo(20L * FORM.length);
      assertThat(forms.find(favourite, SCHEMA, 1)).as("after %d", i).isSameAs(FORM);
    }
    assertThat(all.stream().filter(stored -> forms.find(stored, SCHEMA, 1) != null).count())
        .isGreaterThan(10);
  }

  @Test
  void form_goesWithTheObject_notBefore() {
    EncodedForms<byte[]> forms = new EncodedForms<>(1 << 20, form -> form.length);
    Bytes held = stored("held");
    forms.offer(held, SCHEMA, 1, FORM);
    forms.offer(held, SCHEMA, 1, FORM);
    long one = forms.used();
    for (int i = 0; i < 10; i++) {
      Bytes passing = stored("passing " + i);
      forms.offer(passing, SCHEMA, 1, FORM);
      forms.offer(passing, SCHEMA, 1, FORM);
    }
    assertThat(forms.used()).isGreaterThan(9L * FORM.length);

    // the test's timeout ends it if nothing is ever dropped
    while (forms.used() > one) {
      System.gc();
      Thread.onSpinWait();
    }

    assertThat(forms.used()).isEqualTo(one);
    assertThat(forms.find(held, SCHEMA, 1)).isSameAs(FORM);
  }
}
