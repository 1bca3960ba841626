package dev.keelson.schema.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternSizeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "a{1000} ''",
        "a{1001} {1001}",
        "(a{10}){100} ''",
        "(a{10}){101} {101}",
        "((a{100}){100}){100} {100}",
        "(a{10}b{20}){30,40} ''",
        "(a{10}|b{20}){51} {51}",
        "(a{100}){2,11} {2,11}",
        "(a{100}){2,} ''",
        "(a{100})+{11} {11}",
        "[a{100}]{100} ''",
        "[]{100}]{100} ''",
        "[^]a{100}]{100} ''",
        "[[:alpha:]]{100}b{100} ''",
        "([[:alpha:]]{100}){100} {100}",
        "(\\{100}){100} ''",
        "(\\Qa{100}\\E){100} ''",
        "(a{100}b){x} ''",
        "a{,100}b{} ''",
        "((((a ''",
        "a{100 ''",
        "))))a{100} ''",
      })
  void problem_namesTheCount(String pattern, String expected) {
    assertThat(PatternSize.problem(pattern))
        .isEqualTo(
            expected.isEmpty()
                ? ""
                : "error parsing regexp: invalid repeat count: `" + expected + "`");
  }

  @Test
  void problem_ofDeepGroups_isTheirDepth() {
    assertThat(PatternSize.problem("(".repeat(1000) + ")".repeat(1000))).isEmpty();
    assertThat(PatternSize.problem("(".repeat(1001)))
        .startsWith("error parsing regexp: expression nests too deeply: `((");
  }
}
