package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.server.lifecycle.ExecutablePages.Range;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutablePagesTest {

  private static final String FILE = "/opt/my keelson";

  private static List<String> mapping(String addresses, String mode, String file, int anonymous) {
    return List.of(
        addresses + " " + mode + " 00010000 fe:00 4711                       " + file,
        "Size:              92768 kB",
        "Rss:               38972 kB",
        "Anonymous:         %8d kB".formatted(anonymous),
        "VmFlags: rd ex mr mw me");
  }

  @Test
  void mappingsOfTheFile_thatCannotBeWritten_andHaveNoPageOfTheirOwn() {
    List<String> smaps = new ArrayList<>();
    smaps.addAll(mapping("00410000-05ea8000", "r-xp", FILE, 0));
    smaps.addAll(mapping("05eb0000-05ec6000", "r--p", FILE, 88));
    smaps.addAll(mapping("7f323d880000-7f323f500000", "r--p", FILE, 0));
    smaps.addAll(mapping("7f323f500000-7f3240ece000", "rw-p", FILE, 0));
    smaps.addAll(mapping("7f3240ed0000-7f3240ed4000", "r--s", FILE, 0));
    smaps.addAll(mapping("7f3250000000-7f3250001000", "r-xp", "/usr/lib/libc.so.6", 0));
    smaps.addAll(mapping("7f3260000000-7f3260001000", "r--p", "", 0));

    assertThat(ExecutablePages.unchanged(smaps, FILE))
        .containsExactly(new Range(0x410000, 0x5a98000), new Range(0x7f323d880000L, 0x1c80000));
  }

  @Test
  void release_ofThisProcess_givesWholePages() {
    List<Range> released = new ArrayList<>();

    ExecutablePages.release((address, bytes) -> released.add(new Range(address, bytes)));

    assertThat(released)
        .isNotEmpty()
        .allSatisfy(range -> assertThat(range.address() % 4096 + range.bytes() % 4096).isZero());
  }
}
