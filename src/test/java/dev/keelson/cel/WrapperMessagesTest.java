package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.cel.ValueType.Simple;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protobuf's messages for plain values, which expressions may construct. */
@Timeout(120)
class WrapperMessagesTest {

  private static final Environment ENVIRONMENT = new Environment(Map.of("any", Simple.ANY));
  private static final Map<String, Object> VALUES = Map.of("any", 4294967296L);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "google.protobuf.BoolValue{value: true} == true",
        "google.protobuf.Int32Value{value: -2147483648} == -2147483648",
        "google.protobuf.Int64Value{value: any} + 1 == 4294967297",
        "google.protobuf.UInt32Value{value: 4294967295u} == 4294967295u",
        "google.protobuf.UInt64Value{value: 1u} == 1u",
        "google.protobuf.DoubleValue{value: 1.1} == 1.1",
        "google.protobuf.FloatValue{value: 1.1} != 1.1",
        "google.protobuf.StringValue{value: 'ab'}.startsWith('a')",
        "google.protobuf.BytesValue{value: b'a'} == b'a'",
        "google.protobuf.ListValue{values: [dyn(1), 'a']} == [dyn(1.0), 'a']",
        "google.protobuf.Struct{fields: {'a': 1}}['a'] == 1.0",
        "google.protobuf.Struct{fields: {'a': [{'b': 1}]}} == {'a': [{'b': 1.0}]}",
        "google.protobuf.Value{number_value: 1.5} == 1.5",
        "google.protobuf.Value{string_value: 'a'} == 'a'",
        "google.protobuf.Value{struct_value: {'a': true}}.a",
        "google.protobuf.Value{null_value: 0} == null",
        // without a field
        "google.protobuf.BoolValue{} == false && google.protobuf.Int32Value{} == 0",
        "google.protobuf.UInt64Value{} == 0u && google.protobuf.FloatValue{} == 0.0",
        "google.protobuf.StringValue{} == '' && google.protobuf.BytesValue{} == b''",
        "google.protobuf.ListValue{} == [] && google.protobuf.Struct{} == {}",
        "google.protobuf.Value{} == null",
        "google.protobuf.StringValue{?value: optional.none()} == ''",
        "google.protobuf.StringValue{?value: optional.of('a')} == 'a'",
        // the values are plain ones
        "type(google.protobuf.Int32Value{value: 1}) == int",
        "type(google.protobuf.Struct{fields: {'a': 1}}['a']) == double"
      })
  void message_isItsPlainValue(String text) throws EvaluationException {
    assertThat(ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "google.protobuf.Int32Value{value: 'a'} == 1|expected type of field 'value' is 'int' but"
            + " provided type is 'string'",
        "google.protobuf.Int32Value{x: 1} == 1|undefined field 'x'",
        "google.protobuf.NoValue{} == 1|undeclared reference to 'google.protobuf.NoValue'"
      })
  void wrongMessage_isFoundBefore(String text, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.BOOL)).hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "google.protobuf.Int32Value{value: any} == 1 | google.protobuf.Int32Value.value value type:"
            + " integer overflow",
        "google.protobuf.UInt32Value{value: uint(any)} == 1u |"
            + " google.protobuf.UInt32Value.value value type: unsigned integer overflow"
      })
  void valueThatDoesNotFit_isAnError(String text, String why) {
    Expression expression = ENVIRONMENT.compile(text, Simple.BOOL);

    assertThatThrownBy(() -> expression.holds(VALUES))
        .hasMessageContaining("field type conversion error for " + why);
  }
}
