package io.belay.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package may know which. */
@AnalyzeClasses(packages = "io.belay.bench", importOptions = LayersTest.WithoutTests.class)
@ArchTag("long")
class LayersTest {
    /** The option that ArchUnit has for this knows Maven's own directory alone. */
    static final class WithoutTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    @ArchTest
    static final ArchRule noPackagesGoInACircle =
            slices().matching("io.belay.(**)").should().beFreeOfCycles();
}
