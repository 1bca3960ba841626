package dev.keelson.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.value.CronSchedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of cron schedules, as Kubernetes' cron library has them. */
@Timeout(30)
class CronTimesTest {

  private static String next(String schedule, String zone, String after) {
    return new CronTimes(CronSchedule.parse(schedule), ZoneId.of(zone))
        .next(Instant.parse(after))
        .map(Instant::toString)
        .orElse("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/15 * * * *      | 2012-07-09T14:45:00Z | 2012-07-09T15:00:00Z",
        "*/15 * * * *      | 2012-07-09T14:59:59Z | 2012-07-09T15:00:00Z",
        "*/15 * * * *      | 2012-07-09T14:59:59.5Z | 2012-07-09T15:00:00Z",
        "20-35/15 * * * *  | 2012-07-09T15:45:00Z | 2012-07-09T16:20:00Z",
        "*/15 * * * *      | 2012-12-31T23:45:00Z | 2013-01-01T00:00:00Z",
        "5/20 * * * *      | 2012-07-09T14:46:00Z | 2012-07-09T15:05:00Z",
        "0 0 * Feb Mon     | 2012-07-09T23:35:00Z | 2013-02-04T00:00:00Z",
        "0 0 * Feb Mon/2   | 2012-07-09T23:35:00Z | 2013-02-01T00:00:00Z",
        "0 0 29 2 ?        | 2012-07-09T23:35:00Z | 2016-02-29T00:00:00Z",
        "0 0 1 * 1         | 2026-01-01T00:00:00Z | 2026-01-05T00:00:00Z",
        "0 0 */10 * 1      | 2026-01-01T00:00:00Z | 2026-01-05T00:00:00Z",
        "0 0 13 * 5        | 2026-01-09T00:00:00Z | 2026-01-13T00:00:00Z",
        "0 0 ? * 5         | 2026-01-09T00:00:00Z | 2026-01-16T00:00:00Z",
        "59 23 31 2 *      | 2026-01-01T00:00:00Z | none",
        "0 0 31 4 *        | 2026-01-01T00:00:00Z | none",
        "@yearly           | 2026-03-01T00:00:00Z | 2027-01-01T00:00:00Z",
        "@monthly          | 2026-03-01T00:00:00Z | 2026-04-01T00:00:00Z",
        "@weekly           | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "@midnight         | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
        "@hourly           | 2026-01-01T00:00:01Z | 2026-01-01T01:00:00Z",
        "@every 1h30m      | 2026-01-01T00:00:01.7Z | 2026-01-01T01:30:01Z",
        "@every 10ms       | 2026-01-01T00:00:01.7Z | 2026-01-01T00:00:02Z",
        "TZ=Asia/Tokyo 0 9 * * * | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
      })
  void next_isTheFirstTimeAfter(String schedule, String after, String expected) {
    assertThat(next(schedule, "UTC", after)).isEqualTo(expected);
  }

  /** Clocks of New York skip 02:00 to 03:00 on 2012-03-11 and pass 01:00 to 02:00 twice in fall. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 2 11 Mar ? | 2012-03-11T05:00:00Z | 2013-03-11T06:30:00Z",
        "0 * * * ?     | 2012-03-11T05:00:00Z | 2012-03-11T06:00:00Z",
        "0 * * * ?     | 2012-03-11T06:00:00Z | 2012-03-11T07:00:00Z",
        "0 * * * ?     | 2012-03-11T07:00:00Z | 2012-03-11T08:00:00Z",
        "0 2 * * ?     | 2012-03-11T05:00:00Z | 2012-03-12T06:00:00Z",
        "30 2 04 Nov ? | 2012-11-04T04:00:00Z | 2012-11-04T07:30:00Z",
        "30 1 04 Nov ? | 2012-11-04T05:45:00Z | 2012-11-04T06:30:00Z",
        "0 * * * ?     | 2012-11-04T05:00:00Z | 2012-11-04T06:00:00Z",
        "0 * * * ?     | 2012-11-04T06:00:00Z | 2012-11-04T07:00:00Z",
        "0 1 * * ?     | 2012-11-04T05:00:00Z | 2012-11-04T06:00:00Z",
        "0 1 * * ?     | 2012-11-04T06:00:00Z | 2012-11-05T06:00:00Z",
        "0 0 * * ?     | 2012-11-04T04:00:00Z | 2012-11-05T05:00:00Z",
      })
  void changesOfTheClock_skipAndRepeatTimes(String schedule, String after, String expected) {
    assertThat(next(schedule, "America/New_York", after)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 * * * *    | 10:59 | 0   | none",
        "0 * * * *    | 11:00 | 0   | 11:00",
        "0 * * * *    | 11:30 | 0   | 11:00",
        "0 * * * *    | 15:20 | 5   | 15:00",
        "* * * * *    | 12:40 | 160 | 12:40",
        "30 6-16/4 * * 1-5 | 15:00 | 2 | 14:30",
        "@every 1h    | 15:20 | 5   | 15:00",
      })
  void missedRuns_areCountedAboutAndTheLastIsExact(
      String schedule, String now, long count, String latest) {
    CronTimes times = new CronTimes(CronSchedule.parse(schedule), ZoneOffset.UTC);
    Instant earliest = Instant.parse("2026-01-01T10:00:00Z");

    MissedRuns missed =
        MissedRuns.of(times, earliest, Instant.parse("2026-01-01T" + now + ":00Z")).orElseThrow();

    assertThat(missed.count()).isEqualTo(count);
    assertThat(missed.areMany()).isEqualTo(count > 100);
    Instant last = missed.latest();
    assertThat(last == null ? "none" : last.toString())
        .isEqualTo(latest.equals("none") ? "none" : "2026-01-01T" + latest + ":00Z");
  }
}
